import { TextInput } from '@mantine/core';
import {
  Fragment,
  use,
  useCallback,
  useDeferredValue,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { formatCount } from '../model/text/format';
import { type Alternative, discriminatorsOf, fieldOf } from '../model/form/fields/field';
import { freshValue, propertiesOf } from '../model/form/fields/fresh';
import { mergeKeywords } from '../model/form/fields/keywords';
import { extraSchema, newMembers } from '../model/form/fields/memberSchemas';
import { freeName, nameFor, renamed, withMember } from '../model/form/members';
import { type Json, type JsonObject, fromPointer, isObject, toPointer } from '../model/text/json';
import { AlternativeSelect, useAlternative } from './AlternativesBody';
import { type BodyProps, ProblemContext, useForm } from './formContext';
import { FormButton } from './controls/FormButton';
import { FocusInPlace } from './room/FocusInPlace';
import { RoomContext, roomOfEach, useGrownList } from './room/room';
import classes from './form.module.css';

/** How many members come into view at once. */
const SHOWN = 100;
/** How many members of one object are drawn at most; beyond them the first ones make room. */
const MOST_DRAWN = 300;

type ObjectBodyProps = BodyProps & { alternatives: Alternative[] };

/** The members of an object: those its schema names, those it has besides, and a button that adds one. */
export function ObjectBody(props: ObjectBodyProps) {
  const { field, value, pointer, followed, alternatives, label, required, place } = props;
  const { document, Field } = useForm();
  const given = use(RoomContext);
  /** Drawn on request. */
  const [extra, setExtra] = useState(0);
  /** What is looked for in the names and titles of many members. */
  const [typed, setTyped] = useState('');
  // The fields that come into view are drawn between the keys.
  const query = useDeferredValue(typed);
  const grown = useGrownList(query, SHOWN);
  const problems = use(ProblemContext);
  const root = useRef<HTMLDivElement>(null);
  const { chosen, choose, write } = useAlternative(props);
  const alternative = alternatives[chosen]?.schema;
  const keywords =
    alternative === undefined
      ? field.keywords
      : mergeKeywords(field.keywords, fieldOf(alternative, value, document).keywords, document.spend);
  const object: JsonObject = isObject(value) ? value : {};
  const edited = useRef({ object, keywords, isNew: value === undefined, required, place });
  useLayoutEffect(() => {
    edited.current = { object, keywords, isNew: value === undefined, required, place };
  });

  const onMember = useCallback(
    (name: string | number, next: Json | undefined) => {
      const { object: before, keywords: known, isNew, required: isRequired, place: where } = edited.current;
      if (isNew && next === undefined) return;
      const constants = constantsOf(known);
      const from = isNew ? Object.fromEntries(constants) : before;
      const after = withMember(from, String(name), next);
      // An object of which only the constants are left, which nobody filled in, is not sent.
      const isLeft = where === 'property' && !isRequired && next === undefined;
      const names = Object.keys(after);
      write(isLeft && names.every((one) => constants.some(([key]) => key === one)) ? undefined : after);
    },
    [write],
  );
  const onRename = useCallback(
    (from: string, to: string) => {
      if (Object.hasOwn(edited.current.object, to)) return false;
      write(renamed(edited.current.object, from, to));
      return true;
    },
    [write],
  );
  const members = useMembers(keywords, object);
  const room = { ...given, fields: given.fields + extra };
  const found = useMemo(() => foundIn(members, query), [members, query]);
  const end = Math.min(found.length, query === '' ? Math.min(room.fields, grown + extra) : grown + extra);
  const start = Math.max(0, end - MOST_DRAWN);
  // What is wrong is drawn wherever it is.
  const wrong = useMemo(() => namesWithProblems(problems, pointer), [problems, pointer]);
  // It stays when it has been corrected: what vanished would move everything below it under the pointer.
  const [kept, keep] = useState(wrong);
  const missed = [...wrong].filter((name) => !kept.has(name));
  if (missed.length > 0) keep(new Set([...kept, ...missed]));
  const shown = drawnOf(found, start, end, kept);
  const hidden = found.length - end;
  const inside = roomOfEach(
    room,
    shown.map(({ name, schema }) => ({
      schema,
      value: Object.hasOwn(object, name) ? object[name] : undefined,
    })),
    document,
  );
  const showMore = hidden > 0 && grown === SHOWN && (!room.isGrowing || query !== '') && (
    <FormButton onClick={() => setExtra(extra + SHOWN)}>
      {`Show more (${formatCount(found.length, 'field')} in total)`}
    </FormButton>
  );
  const requiredNames = new Set(Array.isArray(keywords['required']) ? keywords['required'] : []);
  const more = newMembers(keywords);
  const add = (): void => {
    if (more === undefined) return;
    const declared = propertiesOf(keywords).map(([known]) => known);
    const taken = new Set([...declared, ...members.map((member) => member.name)]);
    const name = freeName(taken, nameFor(more.pattern));
    write(withMember(object, name, freshValue(more.schema, document)));
    setExtra(extra + Math.max(0, members.length + 1 - Math.min(room.fields, SHOWN + extra)));
    requestAnimationFrame(() => {
      const names = [...(root.current?.children ?? [])].flatMap((child) => [
        ...child.querySelectorAll<HTMLInputElement>('input[data-name]'),
      ]);
      names.find((input) => input.value === name)?.select();
    });
  };
  return (
    <div
      className={classes.object}
      ref={root}
      role={pointer === '' ? undefined : 'group'}
      aria-label={pointer === '' ? undefined : label}
    >
      <FocusInPlace root={root}>
        {alternatives.length > 0 && (
          <AlternativeSelect label={label} alternatives={alternatives} chosen={chosen} onChoose={choose} />
        )}
        {members.length > SHOWN && (
          <TextInput
            size="xs"
            className={classes.find}
            aria-label={`Search fields of ${label}`}
            placeholder={`Search ${members.length} fields`}
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              setExtra(0);
            }}
          />
        )}
        {start > 0 && (
          <FormButton onClick={() => setExtra(Math.max(MOST_DRAWN - SHOWN, end - SHOWN - SHOWN))}>
            {`Show earlier fields (${start} not shown)`}
          </FormButton>
        )}
        <RoomContext value={inside}>
          {shown.map(({ name, schema, isExtra, at, index }, i) => (
            // A renamed member keeps its field, and with it the focus.
            <Fragment key={isExtra ? `extra ${at}` : `named ${name}`}>
              <Gap fields={index - 1 - (shown[i - 1]?.index ?? index - 1)} />
              {index >= end && (shown[i - 1]?.index ?? end) < end && showMore}
              <Field
                schema={schema}
                value={Object.hasOwn(object, name) ? object[name] : undefined}
                pointer={pointer + toPointer([name])}
                name={name}
                place={isExtra ? 'extra' : 'property'}
                required={requiredNames.has(name)}
                followed={followed}
                onMember={onMember}
                onRename={onRename}
              />
            </Fragment>
          ))}
        </RoomContext>
        {query !== '' && found.length === 0 && <p className={classes.description}>No matching fields</p>}
        {(shown.at(-1)?.index ?? 0) < end && showMore}
        {more !== undefined && (
          <FormButton isAdd onClick={add}>
            Add property
          </FormButton>
        )}
      </FocusInPlace>
    </div>
  );
}

/** The members that are drawn, with their places among those found. */
function drawnOf(found: Member[], start: number, end: number, wrong: ReadonlySet<string>) {
  const drawn: (Member & { index: number })[] = [];
  for (const [index, member] of found.entries()) {
    if ((index >= start && index < end) || wrong.has(member.name)) drawn.push({ ...member, index });
  }
  return drawn;
}

/** Says that fields between two others are not drawn. */
function Gap({ fields }: { fields: number }) {
  if (fields === 0) return null;
  return (
    <p className={classes.gap} role="note">
      {formatCount(fields, 'field')} not shown
    </p>
  );
}

interface Member {
  name: string;
  schema: Json;
  isExtra: boolean;
  /** Its place among all. */
  at: number;
}

/** The members, the same list as long as nothing but values changed: there may be thousands. */
function useMembers(keywords: JsonObject, object: JsonObject): Member[] {
  const names = JSON.stringify(Object.keys(object));
  return useMemo(
    () => membersOf(keywords, JSON.parse(names) as string[]).map((member, at) => ({ ...member, at })),
    [keywords, names],
  );
}

/** The members whose name or title has the words. */
function foundIn(members: Member[], query: string): Member[] {
  const words = query.trim().toLowerCase();
  if (words === '') return members;
  return members.filter(({ name, schema }) => {
    const title = isObject(schema) && typeof schema['title'] === 'string' ? schema['title'] : '';
    return name.toLowerCase().includes(words) || title.toLowerCase().includes(words);
  });
}

/** The members of a value in which something is wrong. */
function namesWithProblems(problems: ReadonlyMap<string, string[]>, pointer: string): Set<string> {
  const names = new Set<string>();
  for (const place of problems.keys()) {
    const [name] = place.startsWith(`${pointer}/`) ? fromPointer(place.slice(pointer.length)) : [];
    if (name !== undefined) names.add(name);
  }
  return names;
}

function membersOf(keywords: JsonObject, present: string[]): Omit<Member, 'at'>[] {
  const has = new Set(present);
  const named = propertiesOf(keywords)
    .filter(([name, schema]) => schema !== false || has.has(name))
    .map(([name, schema]) => ({ name, schema, isExtra: false }));
  const names = new Set(named.map(({ name }) => name));
  const extra = present
    .filter((name) => !names.has(name))
    .map((name) => ({ name, schema: extraSchema(keywords, name) ?? true, isExtra: true }));
  for (const name of present) names.add(name);
  const required = Array.isArray(keywords['required']) ? keywords['required'] : [];
  const missing = required
    .filter((name): name is string => typeof name === 'string' && !names.has(name))
    .map((name) => ({ name, schema: extraSchema(keywords, name) ?? true, isExtra: false }));
  return [...named, ...missing, ...extra];
}

/** Members that are sent along once something beside them is filled in. */
function constantsOf(keywords: JsonObject): [string, Json][] {
  const required = Array.isArray(keywords['required']) ? keywords['required'] : [];
  return discriminatorsOf(keywords).filter(([name]) => required.includes(name));
}
