import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { use, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { type Alternative, discriminatorsOf, fieldOf } from '../model/form/fields/field';
import { freshValue, propertiesOf } from '../model/form/fields/fresh';
import { mergeKeywords } from '../model/form/fields/keywords';
import { extraSchema, newMembers } from '../model/form/fields/memberSchemas';
import { freeName, nameFor, renamed, withMember } from '../model/form/members';
import { type Json, type JsonObject, isObject, toPointer } from '../model/text/json';
import { AlternativeSelect, useAlternative } from './AlternativesBody';
import { type BodyProps, useForm } from './formContext';
import { RoomContext, roomOfEach } from './room';
import classes from './form.module.css';

/** How many members are drawn at once. */
const SHOWN = 100;

type ObjectBodyProps = BodyProps & { alternatives: Alternative[] };

/** The members of an object: those its schema names, those it has besides, and a button that adds one. */
export function ObjectBody(props: ObjectBodyProps) {
  const { field, value, pointer, followed, alternatives, label, onValue, required, place } = props;
  const { document, Field } = useForm();
  const given = use(RoomContext);
  /** Drawn on request. */
  const [extra, setExtra] = useState(0);
  const root = useRef<HTMLDivElement>(null);
  const [chosen, choose] = useAlternative(alternatives, value, onValue);
  const alternative = alternatives[chosen]?.schema;
  const keywords =
    alternative === undefined
      ? field.keywords
      : mergeKeywords(field.keywords, fieldOf(alternative, value, document).keywords);
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
      onValue(isLeft && names.every((one) => constants.some(([key]) => key === one)) ? undefined : after);
    },
    [onValue],
  );
  const onRename = useCallback(
    (from: string, to: string) => {
      if (!Object.hasOwn(edited.current.object, to)) onValue(renamed(edited.current.object, from, to));
    },
    [onValue],
  );
  const members = membersOf(keywords, object);
  const room = { ...given, fields: given.fields + extra };
  const shown = members.slice(0, Math.min(room.fields, SHOWN + extra));
  const inside = roomOfEach(
    room,
    shown.map(({ name, schema }) => ({
      schema,
      value: Object.hasOwn(object, name) ? object[name] : undefined,
    })),
    document,
  );
  const requiredNames = Array.isArray(keywords['required']) ? keywords['required'] : [];
  const more = newMembers(keywords);
  const add = (): void => {
    if (more === undefined) return;
    const name = freeName(object, nameFor(more.pattern));
    onValue(withMember(object, name, freshValue(more.schema, document)));
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
      {alternatives.length > 0 && (
        <AlternativeSelect label={label} alternatives={alternatives} chosen={chosen} onChoose={choose} />
      )}
      <RoomContext value={inside}>
        {shown.map(({ name, schema, isExtra }, index) => (
          <Field
            // A renamed member keeps its field, and with it the focus.
            key={isExtra ? `extra ${index}` : `named ${name}`}
            schema={schema}
            value={Object.hasOwn(object, name) ? object[name] : undefined}
            pointer={pointer + toPointer([name])}
            name={name}
            place={isExtra ? 'extra' : 'property'}
            required={requiredNames.includes(name)}
            followed={followed}
            onMember={onMember}
            onRename={onRename}
          />
        ))}
      </RoomContext>
      {members.length > shown.length && !room.isGrowing && (
        <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setExtra(extra + SHOWN)}>
          {`Show more of ${members.length} properties`}
        </Button>
      )}
      {more !== undefined && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          leftSection={<IconPlus size={14} />}
          className={classes.add}
          onClick={add}
        >
          Add property
        </Button>
      )}
    </div>
  );
}

interface Member {
  name: string;
  schema: Json;
  isExtra: boolean;
}

function membersOf(keywords: JsonObject, object: JsonObject): Member[] {
  const named = propertiesOf(keywords)
    .filter(([name, schema]) => schema !== false || Object.hasOwn(object, name))
    .map(([name, schema]) => ({ name, schema, isExtra: false }));
  const names = new Set(named.map(({ name }) => name));
  const extra = Object.keys(object)
    .filter((name) => !names.has(name))
    .map((name) => ({ name, schema: extraSchema(keywords, name) ?? true, isExtra: true }));
  for (const name of Object.keys(object)) names.add(name);
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
