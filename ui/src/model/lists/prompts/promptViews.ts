import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ServerId, Timeouts } from '../../../contract/generated';

/**
 * The values of a prompt's arguments as typed, by name. An argument that is not in it is not sent; one that is empty is
 * sent as an empty text. A map, because a server may name an argument `__proto__`.
 */
export type PromptValues = ReadonlyMap<string, string>;

/** The next request of one prompt, as the user has prepared it. */
export interface PromptDraft {
  values: PromptValues;
  /** Replaces the server's setting. */
  timeouts: Timeouts | null;
  /** The user has tried to get it: missing arguments are shown as errors from then on. */
  tried: boolean;
}

export const emptyDraft: PromptDraft = { values: new Map(), timeouts: null, tried: false };

/** How the prompts of one server are shown, and what is typed into their forms. Outlives the panel. */
export interface PromptView {
  query: string;
  /** By name; `index` distinguishes prompts with the same name. */
  selection: { name: string; index: number } | null;
  /** By name. */
  drafts: ReadonlyMap<string, PromptDraft>;
}

export const initialView: PromptView = { query: '', selection: null, drafts: new Map() };

export type PromptViewsStore = StoreApi<Record<ServerId, PromptView>> & {
  change(serverId: ServerId, change: Partial<PromptView>): void;
  changeDraft(serverId: ServerId, name: string, change: Partial<PromptDraft>): void;
  /** Sets the value of an argument; undefined omits it. */
  setValue(serverId: ServerId, name: string, argument: string, value: string | undefined): void;
};

export function createPromptViews(): PromptViewsStore {
  const store = createStore<Record<ServerId, PromptView>>(() => ({}));
  const get = (serverId: ServerId): PromptView => store.getState()[serverId] ?? initialView;
  const change = (serverId: ServerId, part: Partial<PromptView>): void =>
    store.setState({ [serverId]: { ...get(serverId), ...part } });
  const changeDraft = (serverId: ServerId, name: string, part: Partial<PromptDraft>): void => {
    const { drafts } = get(serverId);
    change(serverId, {
      drafts: new Map(drafts).set(name, { ...(drafts.get(name) ?? emptyDraft), ...part }),
    });
  };
  return Object.assign(store, {
    change,
    changeDraft,
    setValue(serverId: ServerId, name: string, argument: string, value: string | undefined) {
      const values = new Map((get(serverId).drafts.get(name) ?? emptyDraft).values);
      if (value === undefined) values.delete(argument);
      else values.set(argument, value);
      changeDraft(serverId, name, { values });
    },
  });
}
