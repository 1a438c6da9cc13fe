import { createContext, startTransition, useEffect, useState } from 'react';
import { fieldOf } from '../../model/form/fields/field';
import type { SchemaDocument } from '../../model/form/fields/document';
import type { Json } from '../../model/text/json';

/**
 * How many fields a part of the form may draw, with those inside of it: a short schema can name more fields than there are
 * atoms. What does not fit is drawn on request.
 */
export interface Room {
  fields: number;
  /** The form is still being drawn, in steps. */
  isGrowing: boolean;
}

export const RoomContext = createContext<Room>({ fields: 0, isGrowing: false });

/** The most fields of a form that are drawn without a request. */
const MOST = 150;
/** Fields that are drawn at first, together with what is around the form. */
const FIRST = 10;
/** Fields that are added at once, so that no step blocks the window. */
const STEP = 20;

/** The room of a form, which grows until everything is drawn. */
export function useGrowingRoom(): Room {
  const [fields, setFields] = useState(FIRST);
  useEffect(() => {
    if (fields < MOST) startTransition(() => setFields(Math.min(MOST, fields + STEP)));
  }, [fields]);
  return { fields, isGrowing: fields < MOST };
}

/** How much of a list is drawn, which grows to `most`, and begins again with another list. */
export function useGrownList(list: string, most: number): number {
  const [state, setState] = useState({ list, count: FIRST });
  const count = state.list === list ? state.count : FIRST;
  useEffect(() => {
    if (count < most) startTransition(() => setState({ list, count: Math.min(most, count + STEP) }));
  }, [list, count, most]);
  return count;
}

/** The room of each member that has fields of its own, if a part with this room draws these members. */
export function roomOfEach(
  room: Room,
  members: readonly { schema: Json; value: Json | undefined }[],
  document: SchemaDocument,
): Room {
  const nested = members.filter(({ schema, value }) =>
    ['object', 'array', 'alternatives'].includes(fieldOf(schema, value, document).kind.type),
  ).length;
  const left = room.fields - members.length;
  return { fields: nested === 0 ? 0 : Math.max(0, Math.floor(left / nested)), isGrowing: room.isGrowing };
}
