import { Menu } from '@mantine/core';
import type { FieldSchema } from '../model/form/fields/field';
import { type Json, isObject } from '../model/text/json';
import type { FieldProps } from './formContext';
import classes from './form.module.css';

interface ValueStateProps {
  /** The name of the field. */
  label: string;
  field: FieldSchema;
  value: Json | undefined;
  place: FieldProps['place'];
  onValue: (value: Json | undefined) => void;
}

/**
 * Whether a value is sent, and whether it is null or empty: a control alone cannot show these apart. One stop of the Tab
 * key; a menu changes it.
 */
export function ValueState({ label, field, value, place, onValue }: ValueStateProps) {
  const options = optionsFor(field, value, place);
  const state = stateOf(value);
  if (options.length === 0) return state === 'null' ? <span data-value>null</span> : null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <button
          type="button"
          className={classes.state}
          data-state={state === 'set' ? undefined : state}
          data-value={state === 'null' || undefined}
          aria-label={`Value of ${label}: ${state}`}
          data-tip="Omit, or set to null or empty"
        >
          {state === 'set' ? '…' : state}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {options.map(({ text, to }) => (
          <Menu.Item key={text} onClick={() => onValue(to)}>
            {text}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** In a word, as the button shows it. */
function stateOf(value: Json | undefined): string {
  if (value === undefined) return 'not set';
  if (value === null) return 'null';
  if (value === '') return 'empty string';
  if (Array.isArray(value) && value.length === 0) return 'empty array';
  return isObject(value) && Object.keys(value).length === 0 ? 'empty object' : 'set';
}

interface Option {
  text: string;
  to: Json | undefined;
}

function optionsFor(field: FieldSchema, value: Json | undefined, place: FieldProps['place']): Option[] {
  const { kind, nullable } = field;
  const options: Option[] = [];
  if (place === 'property') options.push({ text: 'Not set', to: undefined });
  if (nullable || kind.type === 'null') options.push({ text: 'null', to: null });
  if (kind.type === 'constant') options.push({ text: 'Set', to: kind.value });
  // In an array, an emptied text is an empty string already.
  if (kind.type === 'text' && (place === 'property' || nullable))
    options.push({ text: 'Empty string', to: '' });
  if (kind.type === 'array') options.push({ text: 'Empty array', to: [] });
  if (kind.type === 'object') options.push({ text: 'Empty object', to: {} });
  const state = stateOf(value);
  return options
    .filter(({ text, to }) => stateOf(to) !== state || text === 'Set')
    .filter(({ to }) => to !== value);
}
