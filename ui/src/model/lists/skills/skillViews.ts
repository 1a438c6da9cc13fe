import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ServerId } from '../../../contract/generated';

/** How the skills of one server are shown. Outlives the panel. */
export interface SkillView {
  query: string;
  /** By the URI of the skill; `index` tells skills with the same URI apart, -1 for one that is known from resources only. */
  selection: { uri: string; index: number } | null;
  /** The selected file of each skill, by the skill's URI; its `SKILL.md` at first. */
  files: ReadonlyMap<string, string>;
  /** The keys of the closed folders, over all skills. */
  closed: ReadonlySet<string>;
}

export const initialSkillView: SkillView = {
  query: '',
  selection: null,
  files: new Map(),
  closed: new Set(),
};

export type SkillViewsStore = StoreApi<Record<ServerId, SkillView>> & {
  change(serverId: ServerId, change: Partial<SkillView>): void;
  selectFile(serverId: ServerId, skillUri: string, uri: string): void;
  toggleFolder(serverId: ServerId, key: string): void;
};

export function createSkillViews(): SkillViewsStore {
  const store = createStore<Record<ServerId, SkillView>>(() => ({}));
  const get = (serverId: ServerId): SkillView => store.getState()[serverId] ?? initialSkillView;
  const change = (serverId: ServerId, part: Partial<SkillView>): void =>
    store.setState({ [serverId]: { ...get(serverId), ...part } });
  return Object.assign(store, {
    change,
    selectFile: (serverId: ServerId, skillUri: string, uri: string) =>
      change(serverId, { files: new Map(get(serverId).files).set(skillUri, uri) }),
    toggleFolder(serverId: ServerId, key: string) {
      const closed = new Set(get(serverId).closed);
      if (!closed.delete(key)) closed.add(key);
      change(serverId, { closed });
    },
  });
}
