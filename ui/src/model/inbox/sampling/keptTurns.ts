import type { RequestEdit } from '../request/excerpt';

/** Which messages a request has left: messages have no identity other than their places in the request before edits. */
export interface KeptTurns {
  /** The params as JSON text. */
  text: string;
  /** What the places are of: the request as received, or a text that was edited as JSON. */
  base: 'received' | 'edited';
  /** The places of the messages that were removed, in ascending order. */
  removed: readonly number[];
}

/** The messages of a text; `kept` is known of the last text that was edited message by message. */
export function keptIn(text: string, received: string, kept: KeptTurns | undefined): KeptTurns {
  if (text === received) return { text, base: 'received', removed: [] };
  return kept?.text === text ? kept : { text, base: 'edited', removed: [] };
}

/** The messages of the text that an edit makes. */
export function keptAfter(kept: KeptTurns, edit: RequestEdit, text: string): KeptTurns {
  if (edit.type !== 'removeTurn') return { ...kept, text };
  const removed = [...kept.removed, placeOf(kept, edit.turn)].toSorted((a, b) => a - b);
  return { ...kept, text, removed };
}

/** What a message is called as long as it is there, by its place now. */
export function turnKey(kept: KeptTurns, at: number): string {
  return `${kept.base} ${placeOf(kept, at)}`;
}

function placeOf({ removed }: KeptTurns, at: number): number {
  let place = at;
  for (const gone of removed) if (gone <= place) place += 1;
  return place;
}
