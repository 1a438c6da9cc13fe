import { Select } from '@mantine/core';
import { useMemo } from 'react';
import { type Choice, choiceLabel } from '../../model/form/fields/field';
import { writeJsonCompact } from '../../model/text/json';
import type { BodyProps } from '../formContext';

/** How many options of a select are shown at once; the search finds the others. */
export const MAX_OPTIONS = 200;

/** One of a few values. A value that is none of them is shown, and marked as wrong by the check. */
export function EnumControl({
  id,
  label,
  field,
  value,
  place,
  invalid,
  choices,
  onValue,
}: BodyProps & { choices: Choice[] }) {
  const written = value === undefined ? undefined : writeJsonCompact(value);
  const known = useMemo(() => choices.map((choice) => writeJsonCompact(choice.value)), [choices]);
  const index = written === undefined ? -1 : known.indexOf(written);
  const data = choices.map((choice, at) => ({ value: String(at), label: choice.label }));
  const isOther = index < 0 && value !== undefined && !(value === null && field.nullable);
  if (isOther) data.push({ value: OTHER, label: choiceLabel(value, false).slice(0, 300) });
  const canClear = place === 'property';
  return (
    <Select
      id={id}
      aria-label={place === 'property' ? undefined : label}
      data={data}
      value={isOther ? OTHER : index < 0 ? null : String(index)}
      error={invalid}
      searchable={choices.length > 8}
      limit={MAX_OPTIONS}
      placeholder={value === null ? 'null' : 'Not set'}
      comboboxProps={{ withinPortal: true }}
      allowDeselect={false}
      clearable={canClear}
      onChange={(next) => {
        if (next === OTHER) return;
        onValue(next === null ? undefined : choices[Number(next)]?.value);
      }}
    />
  );
}

const OTHER = 'other';
