import { MultiSelect, Select, TextInput, Textarea } from '@mantine/core';
import {
  type RJSFSchema,
  type WidgetProps,
  enumOptionSelectedValue,
  enumOptionsValueForIndex,
} from '@rjsf/utils';
import { Segments } from '../widgets/controls/Segments';
import type { SchemaFormContext, FormValue } from './formContext';
import { exampleOf } from './describe';

/** Controls without labels: the field template writes label, type, description and problems. */
type Props = WidgetProps<FormValue, RJSFSchema, SchemaFormContext>;

/** Left empty, a field is not sent; an empty text is sent by writing it in the JSON editor. */
function textOrNothing(text: string): string | undefined {
  return text === '' ? undefined : text;
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
  const shared = {
    id,
    value: asText(value),
    placeholder: placeholder || exampleOf(schema) || (value === '' ? 'Empty text' : undefined),
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
  value,
  options,
  multiple,
  onChange,
  disabled,
  readonly,
  rawErrors,
  required,
}: Props) {
  const choices = options.enumOptions ?? [];
  const data = choices.map(({ label }, index) => ({
    value: String(index),
    label: label === '' ? '(empty text)' : label,
  }));
  const shared = {
    id,
    data,
    disabled: disabled === true || readonly === true,
    error: (rawErrors?.length ?? 0) > 0,
    searchable: data.length > 8,
    placeholder: multiple === true ? undefined : 'Not set',
    comboboxProps: { withinPortal: true },
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

/** True, false, and not sent at all are three things. */
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

/** By the names the form library looks for. Every kind of text is typed as text: what is sent is what is seen. */
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
