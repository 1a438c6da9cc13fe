import { TextInput } from '@mantine/core';
import type { FieldProps, RJSFSchema } from '@rjsf/utils';
import { useState } from 'react';
import { numberText } from '../model/form/arguments';
import { eachNumber, parseJson, toPlain, writeJson } from '../model/text/json';
import { JsonEditor } from '../widgets/code/JsonEditor';
import type { SchemaFormContext, FormValue } from './formContext';
import classes from './form.module.css';

type Props = FieldProps<FormValue, RJSFSchema, SchemaFormContext>;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * A number, edited as text: 9007199254740993 and 1.10 are sent as typed. Text that is not a number is kept as text, which
 * fails the check.
 */
export function NumberField({
  fieldPathId,
  formData,
  onChange,
  registry,
  schema,
  disabled,
  readonly,
  rawErrors,
}: Props) {
  const { path, $id } = fieldPathId;
  const [draft, setDraft] = useState(() => numberText(registry.formContext.exact(path)) ?? asText(formData));
  const value = meaningOf(draft);
  const shown = Object.is(value, formData) ? draft : asText(formData);
  const edit = (text: string): void => {
    setDraft(text);
    const meaning = meaningOf(text);
    if (typeof meaning === 'number') registry.formContext.typed(path, text.trim());
    onChange(meaning, path, undefined, $id);
  };
  const { StringField } = registry.fields;
  if (Array.isArray(schema.enum) && StringField !== undefined) {
    return (
      <SelectNumber
        {...{ fieldPathId, formData, onChange, registry, schema, disabled, readonly, rawErrors }}
      />
    );
  }
  return (
    <TextInput
      id={$id}
      className={classes.number}
      inputMode="decimal"
      autoComplete="off"
      value={shown}
      disabled={disabled}
      readOnly={readonly}
      error={(rawErrors?.length ?? 0) > 0}
      onChange={(event) => edit(event.currentTarget.value)}
    />
  );
}

type SelectProps = Pick<
  Props,
  'fieldPathId' | 'formData' | 'onChange' | 'registry' | 'schema' | 'disabled' | 'readonly' | 'rawErrors'
>;

function SelectNumber({
  fieldPathId,
  formData,
  onChange,
  registry,
  schema,
  disabled,
  readonly,
  rawErrors,
}: SelectProps) {
  const { SelectWidget } = registry.widgets;
  if (SelectWidget === undefined) return null;
  return (
    <SelectWidget
      id={fieldPathId.$id}
      name={fieldPathId.$id}
      label=""
      schema={schema}
      value={formData}
      options={{
        enumOptions: (schema.enum ?? []).map((value) => ({
          value: value as FormValue,
          label: JSON.stringify(value),
        })),
      }}
      onChange={(value) => onChange(value, fieldPathId.path, undefined, fieldPathId.$id)}
      onBlur={() => {}}
      onFocus={() => {}}
      disabled={disabled}
      readonly={readonly}
      rawErrors={rawErrors}
      registry={registry}
    />
  );
}

function meaningOf(text: string): FormValue {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return NUMBER.test(trimmed) ? Number(trimmed) : trimmed;
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Any JSON, for a part of a schema that does not describe its value. */
export function AnyField({ fieldPathId, formData, onChange, name, registry }: Props) {
  const { path, $id } = fieldPathId;
  const [draft, setDraft] = useState(() => {
    const exact = registry.formContext.exact(path);
    return exact === undefined || formData === undefined ? '' : writeJson(exact);
  });
  const edit = (text: string): void => {
    setDraft(text);
    if (text.trim() === '') onChange(undefined, path, undefined, $id);
    const parsed = parseJson(text);
    if (!parsed.ok) return;
    eachNumber(parsed.value, path, (at, number) => registry.formContext.typed(at, number));
    onChange(toPlain(parsed.value), path, undefined, $id);
  };
  return (
    <div className={classes.any}>
      <JsonEditor
        value={draft}
        onChange={edit}
        label={`${name}, JSON`}
        placeholder="Any JSON value"
        optional
      />
    </div>
  );
}
