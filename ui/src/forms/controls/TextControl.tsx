import { TextInput, Textarea } from '@mantine/core';
import { isLosslessNumber } from 'lossless-json';
import { exampleOf } from '../describe';
import type { BodyProps } from '../formContext';
import { cleared } from './cleared';
import { LongText, MAX_TEXT } from './LongText';
import { textAid } from './TextAid';
import { useFile } from './useFile';

/**
 * A string. Dates, colours and files are text too: what is seen is what is sent. A button beside the field writes the text
 * of a day, a colour or a file.
 */
export function TextControl(props: BodyProps) {
  const { id, label, field, value, place, invalid, onValue } = props;
  const { keywords } = field;
  const text = typeof value === 'string' ? value : '';
  const file = useFile(keywords, onValue);
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
    error: file.problem ?? invalid,
    spellCheck: false,
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => {
      const next = event.currentTarget.value;
      onValue(next === '' ? cleared(props) : next);
    },
  };
  if (format === 'password' && !text.includes('\n')) return <TextInput {...shared} type="password" />;
  const isShort = isLosslessNumber(maxLength) && Number(maxLength.value) <= 80;
  const oneLine =
    (typeof format === 'string' || contentEncoding !== undefined || isShort) && !text.includes('\n');
  const aid = textAid({ ...props, onFile: file.choose });
  return oneLine ? (
    <TextInput {...shared} rightSection={aid} />
  ) : (
    <Textarea {...shared} autosize minRows={1} maxRows={10} />
  );
}
