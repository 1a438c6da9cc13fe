import { TextInput, Textarea } from '@mantine/core';
import { isLosslessNumber } from 'lossless-json';
import { exampleOf } from '../describe';
import type { BodyProps } from '../formContext';
import { LongText, MAX_TEXT } from './LongText';

/** A string. Dates, colours and URIs are typed as text: what is seen is what is sent. */
export function TextControl(props: BodyProps) {
  const { id, label, field, value, place, invalid, onValue } = props;
  const { keywords, nullable } = field;
  const text = typeof value === 'string' ? value : '';
  if (text.length > MAX_TEXT) return <LongText {...props} text={text} />;
  const { format, maxLength, contentEncoding } = keywords;
  const shared = {
    id,
    value: text,
    'aria-label': place === 'property' ? undefined : label,
    placeholder:
      value === ''
        ? 'Empty string'
        : value === null
          ? 'null'
          : value === undefined
            ? exampleOf(keywords)
            : undefined,
    error: invalid,
    spellCheck: false,
    autoComplete: 'off',
    // A cleared property is not sent; a cleared item, or a cleared member of a map, is an empty string.
    onChange: (event: { currentTarget: { value: string } }) => {
      const next = event.currentTarget.value;
      onValue(
        next === '' && place === 'property'
          ? undefined
          : next === '' && value === null && nullable
            ? null
            : next,
      );
    },
  };
  if (format === 'password' && !text.includes('\n')) return <TextInput {...shared} type="password" />;
  const isShort = isLosslessNumber(maxLength) && Number(maxLength.value) <= 80;
  const oneLine =
    (typeof format === 'string' || contentEncoding !== undefined || isShort) && !text.includes('\n');
  return oneLine ? <TextInput {...shared} /> : <Textarea {...shared} autosize minRows={1} maxRows={10} />;
}
