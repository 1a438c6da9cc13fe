import type { ServerId } from '../../contract/generated';
import type { UiState } from './uiState';

/** Lists of what a user saves under names: requests of the composer, presets of tools. A name is used once. */

interface Named {
  name: string;
}

/** The list with an item added; it replaces the item of the same name in place. */
export function withSaved<T extends Named>(items: readonly T[], item: T): T[] {
  return items.some(({ name }) => name === item.name)
    ? items.map((each) => (each.name === item.name ? item : each))
    : [...items, item];
}

export function withoutSaved<T extends Named>(items: readonly T[], name: string): T[] {
  return items.filter((each) => each.name !== name);
}

/** The list with an item under another name; an item that had that name is replaced. */
export function withRenamed<T extends Named>(items: readonly T[], from: string, to: string): T[] {
  const others = from === to ? items : withoutSaved(items, to);
  return others.map((each) => (each.name === from ? { ...each, name: to } : each));
}

/** The most that is saved of one kind for all servers, in bytes: the engine refuses a window state over 1 MiB. */
export const MAX_SAVED_BYTES = 200_000;

/** Why a text cannot be saved beside others; null if it can. */
export function savingProblem(text: string, others: readonly { text: string }[]): 'tooLong' | 'full' | null {
  // A text has at least as many bytes as characters; one that is much longer is not encoded with each key.
  const size = text.length > MAX_SAVED_BYTES ? Infinity : sizeOf(text);
  const total = others.reduce((sum, other) => sum + sizeOf(other.text), size);
  if (total <= MAX_SAVED_BYTES) return null;
  return size > MAX_SAVED_BYTES / 2 ? 'tooLong' : 'full';
}

/** The size of a text in bytes, as UTF-8. */
export function sizeOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** What the window stores by server. */
const BY_SERVER = [
  'modes',
  'selectedTools',
  'savedRequests',
  'presets',
  'unconfirmedTools',
  'earlierAnswers',
] as const satisfies readonly (keyof UiState)[];

/** The changes after which nothing is stored of a server that was removed: no answers, and nothing that uses up the room of others. */
export function withoutServer(state: UiState, serverId: ServerId): Partial<UiState> {
  const maps = BY_SERVER.filter((name) => Object.hasOwn(state[name], serverId)).map((name) => {
    const { [serverId]: _, ...others } = state[name];
    return [name, others] as const;
  });
  return {
    ...Object.fromEntries(maps),
    unconfirmedServers: state.unconfirmedServers.filter((id) => id !== serverId),
  };
}
