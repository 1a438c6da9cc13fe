import { Select } from '@mantine/core';
import {
  type Dispatch,
  type FocusEvent,
  type SetStateAction,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { type Alternative, alternativeOf, fieldOf } from '../model/form/fields/field';
import { freshAlternative, freshValue } from '../model/form/fields/fresh';
import { type Json, type JsonObject, isObject, writeJsonCompact } from '../model/text/json';
import { MAX_OPTIONS } from './controls/EnumControl';
import { type BodyProps, useForm } from './formContext';
import classes from './form.module.css';

/** A value that one of several schemas describes: the choice of the schema, and the control of that schema. */
export function AlternativesBody(props: BodyProps & { alternatives: Alternative[] }) {
  const { alternatives, value, label, onValue, followed } = props;
  const { document, Body } = useForm();
  const { chosen, choose, keep } = useAlternative(props);
  const onInner = useCallback(
    (next: Json | undefined) => {
      // A value that is being typed (`1.`, `-`, nothing) fits another schema, whose control would take the focus away.
      keep((last) => ({
        index: chosen,
        written: written(next),
        isChosen: last?.index === chosen && last.isChosen,
      }));
      onValue(next);
    },
    [keep, chosen, onValue],
  );
  const onBlur = (event: FocusEvent<HTMLElement>): void => {
    if (value === undefined || value === '' || event.currentTarget.contains(event.relatedTarget)) return;
    // The parts of an object or an array may be filled in later.
    if (isObject(value) || Array.isArray(value)) return;
    const fits = alternatives.map((one) => document.fits(one.schema, value));
    if (fits[chosen] === false && fits.includes(true))
      keep((last) => (last?.isChosen === true ? last : null));
  };
  const schema = alternatives[chosen]?.schema ?? true;
  const field = fieldOf(schema, value, document);
  const { description } = field.keywords;
  return (
    <div className={classes.choice}>
      <AlternativeSelect label={label} alternatives={alternatives} chosen={chosen} onChoose={choose} />
      {typeof description === 'string' && <p className={classes.description}>{description}</p>}
      <div className={field.kind.type === 'object' ? classes.nested : undefined} onBlur={onBlur}>
        <Body
          key={chosen}
          {...props}
          field={field}
          schema={schema}
          depth={props.depth + 1}
          onValue={onInner}
          followed={[followed, ...field.references].filter((one) => one !== '').join('\n')}
        />
      </div>
    </div>
  );
}

/** An alternative that is shown although a value may be of another one. */
interface Picked {
  index: number;
  /** Only as long as this is the value: what was typed with it, or what it was chosen for. */
  written: string;
  /** The user chose it; otherwise it is only kept while something is typed. */
  isChosen: boolean;
}

/** The alternative that is shown: the one the user chose as long as nothing else decides, else that of the value. */
export function useAlternative({
  alternatives,
  value,
  place,
  onValue,
}: Pick<BodyProps, 'value' | 'place' | 'onValue'> & { alternatives: Alternative[] }): {
  chosen: number;
  choose: (index: number) => void;
  keep: Dispatch<SetStateAction<Picked | null>>;
  /** Writes a value of the alternative that is shown, which stays. The same function at every render. */
  write: (next: Json | undefined) => void;
} {
  const { document } = useForm();
  const [last, setPicked] = useState<Picked | null>(null);
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  const picked = isOf(last, value) ? last.index : null;
  const found = alternatives.length === 0 ? 0 : alternativeOf(alternatives, value, document);
  const pickedSchema = picked === null ? undefined : alternatives[picked]?.schema;
  const isPossible =
    pickedSchema !== undefined &&
    (value === undefined || suits(pickedSchema, value, fieldOf(pickedSchema, value, document).kind.type));
  const choose = (index: number): void => {
    const schema = alternatives[index]?.schema;
    if (schema === undefined) return;
    const isKept = value === undefined || document.fits(schema, value);
    const before = alternatives[isPossible ? (picked ?? found) : found]?.schema;
    const next = isKept ? value : carriedOver(schema, value, before);
    setPicked({ index, written: written(next), isChosen: true });
    if (!isKept) onValue(next);
  };
  const write = useCallback(
    (next: Json | undefined) => {
      const before = latest.current;
      latest.current = next;
      setPicked((old) => (isOf(old, before) ? { ...old, written: written(next) } : null));
      onValue(next);
    },
    [onValue],
  );
  /** What of a value another alternative keeps: the members that it names too. An item or a member of a map stays. */
  const carriedOver = (schema: Json, old: Json, before: Json | undefined): Json | undefined => {
    const next = fieldOf(schema, undefined, document);
    const named = next.keywords['properties'];
    const isObjectNext = next.kind.type === 'object' || isObject(named);
    if (!isObjectNext) return place === 'property' ? undefined : freshValue(schema, document);
    const left =
      before === undefined
        ? {}
        : ((fieldOf(before, undefined, document).keywords['properties'] ?? {}) as JsonObject);
    const kept = isObject(old)
      ? Object.entries(old).filter(
          ([name]) => !Object.hasOwn(left, name) || (isObject(named) && Object.hasOwn(named, name)),
        )
      : [];
    return Object.fromEntries([...kept, ...Object.entries(freshAlternative(schema, document))]);
  };
  return { chosen: isPossible && picked !== null ? picked : found, choose, keep: setPicked, write };
}

function isOf(picked: Picked | null, value: Json | undefined): picked is Picked {
  return picked !== null && picked.written === written(value);
}

/** A value as text, to be compared; a value that is not sent is the empty text. */
function written(value: Json | undefined): string {
  return value === undefined ? '' : writeJsonCompact(value);
}

/** Whether the control of a kind can show a value. */
function suits(schema: Json, value: Json, kind: string): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return typeof value !== 'boolean' && !Array.isArray(value) && !(isObject(value) && schema !== true);
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    default:
      return true;
  }
}

interface AlternativeSelectProps {
  label: string;
  alternatives: Alternative[];
  chosen: number;
  onChoose: (index: number) => void;
}

/** Which of several schemas describes a value. */
export function AlternativeSelect({ label, alternatives, chosen, onChoose }: AlternativeSelectProps) {
  return (
    <Select
      className={classes.selector}
      aria-label={`Type of ${label}`}
      data={alternatives.map((one, index) => ({ value: String(index), label: one.label }))}
      value={String(chosen)}
      allowDeselect={false}
      searchable={alternatives.length > 8}
      limit={MAX_OPTIONS}
      comboboxProps={{ withinPortal: true }}
      onChange={(index) => {
        if (index !== null) onChoose(Number(index));
      }}
    />
  );
}
