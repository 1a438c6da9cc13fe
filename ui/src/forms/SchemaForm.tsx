import { useMemo, useRef, useLayoutEffect, useCallback } from 'react';
import type { SchemaDocument } from '../model/form/fields/document';
import { fieldOf } from '../model/form/fields/field';
import type { Problem } from '../model/form/check/validate';
import { type Json, type JsonObject, isObject, writeJson } from '../model/text/json';
import { Body, Field } from './Field';
import { FormContext, ProblemContext } from './formContext';
import { RoomContext, useGrowingRoom } from './room/room';
import { useStateMenus } from './ValueState';

export interface SchemaFormProps {
  schema: SchemaDocument;
  /** The object: what the form shows and edits. */
  value: JsonObject;
  problems: readonly Problem[];
  /** What the object is, for screen readers. */
  label?: string;
  /** What each field shows of its type: the whole, or only the bounds of numbers, where nobody looks for a schema. */
  types?: 'schema' | 'bounds';
  /** Receives the edited object as JSON text. */
  onText: (text: string) => void;
}

/**
 * A JSON object as a form. It keeps no values: it reads the object and writes it, so that form and JSON are always in
 * step, and what is not edited keeps its order and its number text.
 */
export function SchemaForm({
  schema,
  value,
  problems,
  label = 'Arguments',
  types = 'schema',
  onText,
}: SchemaFormProps) {
  const parts = useMemo(() => ({ document: schema, types, Field, Body }), [schema, types]);
  const messages = useMessages(problems);
  const field = fieldOf(schema.root, value, schema);
  const room = useGrowingRoom();
  const root = useRef<HTMLDivElement>(null);
  useStateMenus(root);
  const latest = useRef(onText);
  useLayoutEffect(() => {
    latest.current = onText;
  });
  const onValue = useCallback((next: Json | undefined) => {
    latest.current(writeJson(isObject(next) ? next : {}));
  }, []);
  return (
    <FormContext value={parts}>
      <ProblemContext value={messages}>
        <div ref={root}>
          <RoomContext value={room}>
            <Body
              id=""
              label={label}
              field={field}
              schema={schema.root}
              value={value}
              pointer=""
              place="item"
              required
              invalid={false}
              followed={field.references.join('\n')}
              depth={0}
              onValue={onValue}
            />
          </RoomContext>
        </div>
      </ProblemContext>
    </FormContext>
  );
}

/** The same map as long as the problems are the same. */
function useMessages(problems: readonly Problem[]): ReadonlyMap<string, string[]> {
  const key = JSON.stringify(problems.map(({ pointer, message }) => [pointer, message]));
  return useMemo(() => {
    const messages = new Map<string, string[]>();
    for (const [pointer, message] of JSON.parse(key) as [string, string][]) {
      messages.set(pointer, [...(messages.get(pointer) ?? []), message]);
    }
    return messages;
  }, [key]);
}
