import type { ServerId } from '../../contract/generated';
import { savingProblem, withRenamed, withSaved, withoutSaved } from '../workspace/saved';
import type { Preset, UiState, UiStateStore } from '../workspace/uiState';
import { ownOf } from '../store/ownOf';

/** The argument sets that the user has saved for one tool of one server. */

/** At most this many are saved per tool. */
export const MAX_PRESETS = 100;

const NONE: readonly Preset[] = [];

/** All presets of a server: the same array while nothing changes. */
export function presetsOfServer({ presets }: UiState, serverId: ServerId): readonly Preset[] {
  return ownOf(presets, serverId) ?? NONE;
}

/**
 * Why arguments cannot be saved, in a sentence; null if they can. `count`: how many presets the tool has. `replaced`: the preset
 * whose place they take.
 */
export function notSavedReason(
  { presets }: UiState,
  count: number,
  text: string,
  replaced?: Preset,
): string | null {
  if (count >= MAX_PRESETS && replaced === undefined)
    return `At most ${MAX_PRESETS} presets are saved per tool.`;
  const others = Object.values(presets)
    .flat()
    .filter((preset) => preset !== replaced);
  const problem = savingProblem(text, others);
  if (problem === null) return null;
  return problem === 'tooLong'
    ? 'These arguments are too long to be saved.'
    : 'The storage for presets is full. Delete some first.';
}

/** Changes to the presets of one tool. */
export interface PresetEdits {
  /** Saves arguments under a name; a preset of that name is replaced. */
  save: (name: string, text: string) => void;
  rename: (from: string, to: string) => void;
  remove: (name: string) => void;
}

export function presetEdits(ui: UiStateStore, serverId: ServerId, tool: string): PresetEdits {
  const change = (edit: (items: Preset[]) => Preset[]): void =>
    ui.setState((state) => {
      const all = presetsOfServer(state, serverId);
      const others = all.filter((preset) => preset.tool !== tool);
      const edited = edit(all.filter((preset) => preset.tool === tool));
      return { presets: { ...state.presets, [serverId]: [...others, ...edited] } };
    });
  return {
    save: (name, text) => change((items) => withSaved(items, { name, tool, text })),
    rename: (from, to) => change((items) => withRenamed(items, from, to)),
    remove: (name) => change((items) => withoutSaved(items, name)),
  };
}
