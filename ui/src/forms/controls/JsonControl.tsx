import { useState } from 'react';
import {
  type Json,
  type Parsed,
  isObject,
  parseJson,
  writeJson,
  writeJsonCompact,
} from '../../model/text/json';
import { JsonEditor } from '../../widgets/code/JsonEditor';
import type { BodyProps } from '../formContext';
import classes from '../form.module.css';

/**
 * Any JSON, for a value that no other control can show. A cleared property is not sent. A cleared item of an array or member of a
 * map keeps its last value, as with any text that is not valid.
 */
export function JsonControl({ id, label, value, pointer, place, onValue }: BodyProps) {
  const [edited, setEdited] = useState({ text: textOf(value), value: compact(value) });
  // Changed from elsewhere: by another control, or with the arguments of an earlier call.
  const text = edited.value === compact(value) ? edited.text : textOf(value);
  const canBeEmpty = place === 'property' || value === undefined;
  // The arguments as a whole are an object, whatever is typed.
  const isRoot = pointer === '';
  const fits = (parsed: Parsed): parsed is Parsed & { ok: true } =>
    parsed.ok && (!isRoot || isObject(parsed.value));
  const isBroken = text.trim() === '' ? !canBeEmpty : !fits(parseJson(text));
  const edit = (next: string): void => {
    const parsed = parseJson(next);
    if (next.trim() === '' && canBeEmpty) {
      setEdited({ text: next, value: compact(undefined) });
      onValue(undefined);
    } else if (fits(parsed)) {
      setEdited({ text: next, value: compact(parsed.value) });
      if (compact(parsed.value) !== compact(value)) onValue(parsed.value);
    } else setEdited({ text: next, value: compact(value) });
  };
  return (
    <>
      <div className={classes.any}>
        <JsonEditor
          id={id}
          value={text}
          onChange={edit}
          label={`${label}, JSON`}
          placeholder="Any JSON value"
          optional={canBeEmpty}
        />
      </div>
      {isBroken && (
        <p className={classes.error} role="status">
          {isRoot ? 'Not a JSON object.' : 'Not valid JSON.'}{' '}
          {value === undefined ? 'No value is sent.' : 'The last valid value is sent.'}
        </p>
      )}
    </>
  );
}

function textOf(value: Json | undefined): string {
  return value === undefined ? '' : writeJson(value);
}

function compact(value: Json | undefined): string {
  return value === undefined ? '' : writeJsonCompact(value);
}
