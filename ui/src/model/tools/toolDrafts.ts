import { createStore, type StoreApi } from 'zustand/vanilla';
import { type CallOptions, DEFAULT_OPTIONS, type ExchangeKey, type ToolRequest } from '../exchange/request';

/** The next call of one tool, as the user has prepared it. */
export interface ToolDraft {
  /** The arguments as they will be sent; null until the schema's defaults are known. */
  text: string | null;
  mode: 'form' | 'json';
  options: CallOptions;
  /** The name of the preset that was applied or saved last. */
  preset: string | null;
  /** The user has tried to call: missing arguments are shown as errors from then on. */
  tried: boolean;
}

export const emptyDraft: ToolDraft = {
  text: null,
  mode: 'form',
  options: DEFAULT_OPTIONS,
  preset: null,
  tried: false,
};

type DraftKey = ExchangeKey<ToolRequest>;

export type ToolDraftsStore = StoreApi<Record<DraftKey, ToolDraft>> & {
  change(key: DraftKey, change: Partial<ToolDraft>): void;
};

/** The drafts of all tools. They outlive the panels that edit them. */
export function createToolDrafts(): ToolDraftsStore {
  const store = createStore<Record<DraftKey, ToolDraft>>(() => ({}));
  return Object.assign(store, {
    change: (key: DraftKey, part: Partial<ToolDraft>) =>
      store.setState((drafts) => ({ [key]: { ...(drafts[key] ?? emptyDraft), ...part } })),
  });
}
