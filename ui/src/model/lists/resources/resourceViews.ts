import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ServerId } from '../../../contract/generated';
import { NO_FILTER, type ResourceFilter } from './resourceFilter';

/** What is selected in the list. By URI: the indexes change with the list. */
export type ResourceSelection =
  | { type: 'folder'; key: string }
  /** `index` distinguishes resources with the same URI; -1 if it is not in the list. */
  | { type: 'resource'; uri: string; index: number }
  | { type: 'template'; uriTemplate: string; index: number };

/** The value of a template's variable as typed: a text, or one item or `name=value` a line. */
export interface VariableDraft {
  kind: 'text' | 'list' | 'pairs';
  text: string;
}

/** How the resources of one server are shown. Outlives the panel. */
export interface ResourceView {
  layout: 'tree' | 'list' | 'templates';
  query: string;
  filter: ResourceFilter;
  /** The keys of the closed folders. */
  closed: ReadonlySet<string>;
  selection: ResourceSelection | null;
  /** What is shown next to the list: the resource or template selected last. */
  shown: Exclude<ResourceSelection, { type: 'folder' }> | null;
  /** By template, then by variable. */
  drafts: Readonly<Record<string, Readonly<Record<string, VariableDraft>>>>;
  /** The URI read last from each template. */
  read: Readonly<Record<string, string>>;
}

/** A record without members of its prototype: names come from servers, and one may be `constructor`. */
export function emptyRecord<T>(): Readonly<Record<string, T>> {
  return Object.create(null) as Record<string, T>;
}

/** The record with one member more. */
export function withMember<T>(
  record: Readonly<Record<string, T>> | undefined,
  name: string,
  value: T,
): Readonly<Record<string, T>> {
  return Object.assign(Object.create(null) as Record<string, T>, record, { [name]: value });
}

export const initialView: ResourceView = {
  layout: 'tree',
  query: '',
  filter: NO_FILTER,
  closed: new Set(),
  selection: null,
  shown: null,
  drafts: emptyRecord(),
  read: emptyRecord(),
};

export type ResourceViewsStore = StoreApi<Record<ServerId, ResourceView>> & {
  change(serverId: ServerId, change: Partial<ResourceView>): void;
  select(serverId: ServerId, selection: ResourceSelection): void;
  toggleFolder(serverId: ServerId, key: string): void;
  setDraft(serverId: ServerId, uriTemplate: string, name: string, draft: VariableDraft): void;
};

export function createResourceViews(): ResourceViewsStore {
  const store = createStore<Record<ServerId, ResourceView>>(() => ({}));
  const get = (serverId: ServerId): ResourceView => store.getState()[serverId] ?? initialView;
  const change = (serverId: ServerId, part: Partial<ResourceView>): void =>
    store.setState({ [serverId]: { ...get(serverId), ...part } });
  return Object.assign(store, {
    change,
    select: (serverId: ServerId, selection: ResourceSelection) =>
      change(serverId, selection.type === 'folder' ? { selection } : { selection, shown: selection }),
    toggleFolder(serverId: ServerId, key: string) {
      const closed = new Set(get(serverId).closed);
      if (!closed.delete(key)) closed.add(key);
      change(serverId, { closed });
    },
    setDraft(serverId: ServerId, uriTemplate: string, name: string, draft: VariableDraft) {
      const { drafts } = get(serverId);
      change(serverId, {
        drafts: withMember(drafts, uriTemplate, withMember(drafts[uriTemplate], name, draft)),
      });
    },
  });
}
