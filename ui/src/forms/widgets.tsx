import { MultiSelect, Select, TextInput, Textarea } from '@mantine/core';
import {
  type RJSFSchema,
  type WidgetProps,
  enumOptionSelectedValue,
  enumOptionsValueForIndex,
} from '@rjsf/utils';
import { Segments } from '../widgets/controls/Segments';
import { useContext } from 'react';
import { CHOICE_TITLES } from '../model/form/schema';
import { isObject } from '../model/text/json';
import { type FormValue, InArray, type SchemaFormContext } from './formContext';
import { exampleOf } from './describe';
import classes from './form.module.css';

/** Controls without labels: the field template shows label, type, description and errors. */
type Props = WidgetProps<FormValue, RJSFSchema, SchemaFormContext>;

/** A cleared field is not sent, but a cleared array item is an empty string. */
function useTextOrNothing(): (text: string) => string | undefined {
  const inArray = useContext(InArray);
  return (text) => (text === '' && !inArray ? undefined : text);
}

export function TextWidget({
  id,
  value,
  schema,
  onChange,
  disabled,
  readonly,
  rawErrors,
  placeholder,
  options,
}: Props) {
  const textOrNothing = useTextOrNothing();
  const canBeEmpty = value === undefined && schema.format === undefined && !(Number(schema.minLength) > 0);
  const shared = {
    id,
    value: asText(value),
    placeholder: value === '' ? 'Empty string' : value === null ? 'null' : placeholder || exampleOf(schema),
    rightSection: canBeEmpty && (
      <button
        type="button"
        className={classes.empty}
        tabIndex={-1}
        aria-label="Set to empty string"
        data-tip="Set to empty string"
        onClick={() => onChange('')}
      >
        ""
      </button>
    ),
    disabled,
    readOnly: readonly,
    error: (rawErrors?.length ?? 0) > 0,
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange(textOrNothing(event.currentTarget.value)),
  };
  const oneLine =
    schema.format !== undefined || (typeof schema.maxLength === 'number' && schema.maxLength <= 80);
  if (oneLine && options['multiline'] !== true) return <TextInput {...shared} spellCheck={false} />;
  return <Textarea {...shared} autosize minRows={1} maxRows={10} spellCheck={false} />;
}

export function PasswordWidget(props: Props) {
  const textOrNothing = useTextOrNothing();
  return (
    <TextInput
      id={props.id}
      type="password"
      autoComplete="off"
      value={asText(props.value)}
      disabled={props.disabled}
      readOnly={props.readonly}
      error={(props.rawErrors?.length ?? 0) > 0}
      onChange={(event) => props.onChange(textOrNothing(event.currentTarget.value))}
    />
  );
}

export function SelectWidget({
  id,
  schema,
  value,
  options,
  multiple,
  onChange,
  disabled,
  readonly,
  rawErrors,
  required,
  label: name,
}: Props) {
  const choices = options.enumOptions ?? [];
  const titles = titlesOf(multiple === true ? schema.items : schema);
  const data = choices.map(({ label }, index) => ({
    value: String(index),
    label: titles?.[index] ?? (label === '' ? '(empty string)' : label),
  }));
  const shared = {
    id,
    data,
    disabled: disabled === true || readonly === true,
    error: (rawErrors?.length ?? 0) > 0,
    searchable: data.length > 8,
    placeholder: value === null ? 'null' : multiple === true ? undefined : 'Not set',
    comboboxProps: { withinPortal: true },
    // The select that chooses a schema has another id, which no <label> points to.
    'aria-label': /__(one|any)of_select$/.test(id) ? name : undefined,
  };
  if (multiple === true) {
    const selected = choices.flatMap(({ value: choice }, index) =>
      Array.isArray(value) && value.includes(choice) ? [String(index)] : [],
    );
    return (
      <MultiSelect
        {...shared}
        value={selected}
        clearable
        onChange={(indexes) => onChange(indexes.map((index) => choices[Number(index)]?.value as FormValue))}
      />
    );
  }
  const selected = enumOptionSelectedValue(value as never, choices, false, 'indexed', null) as string | null;
  return (
    <Select
      {...shared}
      value={selected}
      allowDeselect={required !== true}
      clearable={required !== true}
      onChange={(index) =>
        onChange(index === null ? undefined : enumOptionsValueForIndex(index, choices, undefined))
      }
    />
  );
}

/** The titles of a schema's choices (MCP's titled enums). */
function titlesOf(schema: RJSFSchema['items']): string[] | undefined {
  return isObject(schema) ? (schema as { [CHOICE_TITLES]?: string[] })[CHOICE_TITLES] : undefined;
}

/** True, false and not set are three different values. */
export function BooleanWidget({ id, value, onChange, disabled, readonly, label }: Props) {
  return (
    <Segments
      id={id}
      label={label}
      disabled={disabled === true || readonly === true}
      segments={[
        { value: 'unset', label: 'Not set' },
        { value: 'true', label: 'true' },
        { value: 'false', label: 'false' },
      ]}
      value={typeof value === 'boolean' ? String(value) : 'unset'}
      onChange={(choice) => onChange(choice === 'unset' ? undefined : choice === 'true')}
    />
  );
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** By the names the form library looks up. Dates, colours and URLs are typed as text: what is seen is what is sent. */
export const widgets = {
  TextWidget,
  TextareaWidget: TextWidget,
  EmailWidget: TextWidget,
  URLWidget: TextWidget,
  DateWidget: TextWidget,
  DateTimeWidget: TextWidget,
  TimeWidget: TextWidget,
  AltDateWidget: TextWidget,
  AltDateTimeWidget: TextWidget,
  ColorWidget: TextWidget,
  RangeWidget: TextWidget,
  UpDownWidget: TextWidget,
  FileWidget: TextWidget,
  PasswordWidget,
  SelectWidget,
  RadioWidget: SelectWidget,
  CheckboxesWidget: SelectWidget,
  CheckboxWidget: BooleanWidget,
};
