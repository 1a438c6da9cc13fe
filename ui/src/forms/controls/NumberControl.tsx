import { TextInput } from '@mantine/core';
import { LosslessNumber, isLosslessNumber } from 'lossless-json';
import type { BodyProps } from '../formContext';
import { cleared } from './cleared';
import { exampleOf } from '../describe';
import classes from '../form.module.css';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * A number, edited as text: 9007199254740993 and 1.10 are sent as typed. Text that is not a number is kept as text, which
 * fails the check.
 */
export function NumberControl(props: BodyProps) {
  const { id, label, field, value, place, invalid, onValue } = props;
  return (
    <TextInput
      id={id}
      className={classes.number}
      inputMode="decimal"
      autoComplete="off"
      aria-label={place === 'property' ? undefined : label}
      placeholder={value === null ? 'null' : value === undefined ? exampleOf(field.keywords) : undefined}
      value={isLosslessNumber(value) ? value.value : typeof value === 'string' ? value : ''}
      error={invalid}
      onChange={(event) => {
        const text = event.currentTarget.value.trim();
        onValue(text === '' ? cleared(props) : NUMBER.test(text) ? new LosslessNumber(text) : text);
      }}
    />
  );
}
