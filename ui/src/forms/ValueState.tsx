import { Menu } from '@mantine/core';
import { type RefObject, useEffect, useRef } from 'react';
import type { FieldSchema } from '../model/form/fields/field';
import { type Json, isObject } from '../model/text/json';
import { fixedText } from '../model/workspace/shortcuts';
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
 * Whether a value is sent, and whether it is null or empty: a control alone cannot show these apart. A menu changes it. The Tab
 * key goes from control to control; Ctrl/Cmd-. opens the menu of a field (`useStateMenus`). Where there is no control, the menu
 * is what Tab reaches.
 */
export function ValueState({ label, field, value, place, onValue }: ValueStateProps) {
  const options = optionsFor(field, value, place);
  /** What had the focus before the menu was opened by its keys. */
  const before = useRef<HTMLElement>(null);
  const state = stateOf(value);
  if (options.length === 0) return state === 'null' ? <span data-value>null</span> : null;
  return (
    <Menu position="bottom-end" withinPortal onClose={() => before.current?.focus()}>
      <Menu.Target>
        <button
          type="button"
          className={classes.state}
          tabIndex={hasControl(field) ? -1 : 0}
          data-state-menu
          data-state={state === 'set' ? undefined : state}
          data-value={state === 'null' || undefined}
          aria-label={`Value of ${label}: ${state}`}
          data-tip={`Omit, or set to null or empty (${fixedText('valueState')})`}
          onClick={() => {
            const { activeElement } = document;
            before.current = activeElement instanceof HTMLElement ? activeElement : null;
          }}
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

/** Ctrl/Cmd-. within a form opens the menu of the field around the focus, or of the nearest field around that has one. */
export function useStateMenus(form: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = form.current;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== '.' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
      const menu = event.target instanceof Element && menuAround(event.target, root);
      if (!menu) return;
      event.preventDefault();
      menu.click();
    };
    root?.addEventListener('keydown', onKeyDown);
    return () => root?.removeEventListener('keydown', onKeyDown);
  }, [form]);
}

function menuAround(place: Element, root: HTMLElement | null): HTMLElement | undefined {
  const field = place.closest('[data-field]');
  if (field === null || root?.contains(field) !== true) return undefined;
  const menus = field.querySelectorAll<HTMLElement>('[data-state-menu]');
  const own = [...menus].find((menu) => menu.closest('[data-field]') === field);
  return own ?? (field.parentElement === null ? undefined : menuAround(field.parentElement, root));
}

/** Whether there is something else to reach with the Tab key. */
function hasControl({ kind }: FieldSchema): boolean {
  // An object may have no members, and alternatives may be null.
  const others = ['null', 'constant', 'object', 'alternatives'];
  return !others.includes(kind.type);
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
