import { createStore, type StoreApi } from 'zustand/vanilla';
import type {
  ChatExportResponse,
  ChatFormat,
  ChatId,
  ChatItem,
  ChatLocateResponse,
  ChatSettings,
  ChatSummary,
  CommandError,
} from '../../contract/generated';
import type { Host } from '../../host/host';
import { coalesce } from '../store/coalesce';
import { commandError } from '../store/errors';
import { keepSame } from '../store/keepSame';
import type { AppEvents } from '../workspace/appEvents';
import { idOf, wholeTextOf } from './conversation';
import { NOTHING_UNSENT, type Unsent, withMessage } from './unsent';

type UserItem = Extract<ChatItem, { type: 'user' }>;

/** The list of conversations. */
export interface Chats {
  /** As last received; undefined until loaded. */
  items: readonly ChatSummary[] | undefined;
  /** What they were searched for: `search` may be newer. */
  searched: string;
  /** The folder of their files; null if they are kept in memory only. */
  folder: string | null;
  /** What is searched for. */
  search: string;
  /** Why the last command failed. */
  error: CommandError | null;
  /** What the user has written in each conversation and not sent. */
  drafts: Readonly<Partial<Record<ChatId, string>>>;
  /** What else the user has begun in each conversation and not sent. */
  unsent: Readonly<Partial<Record<ChatId, Unsent>>>;
  /** A text that waits for a conversation to become part of its draft. */
  handed: string | null;
  /** An item that waits to be brought into view; each new object is a new request. */
  wanted: ChatLocateResponse | null;
}

const PULL_EVERY_MS = 250;

export type ChatsStore = StoreApi<Chats> & {
  /** Loads the list now. */
  refresh(): Promise<void>;
  /** Searches the texts of all conversations; an empty text shows all. */
  find(search: string): void;
  /** Begins a conversation; null if that failed. */
  create(settings: ChatSettings): Promise<ChatId | null>;
  /** Begins a copy of a conversation, up to an item; null if that failed. */
  fork(chatId: ChatId, before: string | null): Promise<ChatId | null>;
  /**
   * Begins a copy that goes on where the user wrote one of the `items`: its text is the draft. With something attached to it, the
   * message is copied too, and edited there, which keeps what is attached. Null if that failed.
   */
  forkAt(chatId: ChatId, items: readonly ChatItem[], message: UserItem): Promise<ChatId | null>;
  rename(chatId: ChatId, title: string): Promise<void>;
  /** A conversation as a file; null if that failed. */
  exported(chatId: ChatId, format: ChatFormat): Promise<ChatExportResponse | null>;
  remove(chatId: ChatId): Promise<void>;
  /** Keeps what is written in a conversation. */
  write(chatId: ChatId, text: string): void;
  /** Keeps what else is begun in a conversation: what `change` makes of it. */
  keep(chatId: ChatId, change: (old: Unsent) => Unsent): void;
  /** Adds a text to the draft of a conversation; without one, or if it is read-only, of the next that is shown and takes one. */
  hand(chatId: ChatId | null, text: string): void;
  /** Called by the chat: adds the text that waits to this conversation's draft. */
  takeHanded(chatId: ChatId): void;
  /** Brings an item of a conversation into view as soon as that is shown; null: it was, or cannot be. */
  want(place: ChatLocateResponse | null): void;
  dismissError(): void;
};

export function createChats(host: Host, events: AppEvents): ChatsStore {
  const store = createStore<Chats>(() => ({
    items: undefined,
    searched: '',
    folder: null,
    search: '',
    error: null,
    drafts: {},
    unsent: {},
    handed: null,
    wanted: null,
  }));

  /** Runs a command; null if it failed. */
  async function attempt<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (thrown) {
      store.setState({ error: commandError(thrown) });
      return null;
    }
  }

  async function pull(): Promise<void> {
    const { search } = store.getState();
    const listed = await attempt(() => host.call('chat_list', { search: search === '' ? null : search }));
    // A search that was changed meanwhile pulls again.
    if (listed === null || store.getState().search !== search) return;
    const { folder } = listed;
    store.setState((old) => ({ items: keepSame(old.items, listed.items), searched: search, folder }));
  }

  const fork = async (chatId: ChatId, before: string | null): Promise<ChatId | null> =>
    (await attempt(() => host.call('chat_fork', { chatId, before })))?.chatId ?? null;

  const write = (chatId: ChatId, text: string): void =>
    store.setState(({ drafts }) => ({ drafts: { ...drafts, [chatId]: text } }));

  function keep(chatId: ChatId, change: (old: Unsent) => Unsent): void {
    const old = store.getState().unsent[chatId] ?? NOTHING_UNSENT;
    const next = change(old);
    if (next !== old) store.setState(({ unsent }) => ({ unsent: { ...unsent, [chatId]: next } }));
  }

  async function forkAt(
    chatId: ChatId,
    items: readonly ChatItem[],
    message: UserItem,
  ): Promise<ChatId | null> {
    const { id: item, content } = message;
    const text = await attempt(() => wholeTextOf(host, message));
    if (text === null) return null;
    const hasAttached = content.some(({ type }) => type !== 'text');
    const next = items[items.indexOf(message) + 1];
    const after = next === undefined ? null : idOf(next);
    const copy = await fork(chatId, hasAttached ? after : item);
    if (copy === null) return null;
    if (hasAttached) {
      keep(copy, (old) => withMessage(old, item, text));
      store.setState({ wanted: { chatId: copy, item } });
    } else write(copy, text);
    return copy;
  }

  const refresh = coalesce(pull, PULL_EVERY_MS);
  const refreshIfShown = (): void => {
    if (store.getState().items !== undefined) void refresh();
  };
  events.subscribe('chats', refreshIfShown);
  events.onResync(refreshIfShown);

  return Object.assign(store, {
    refresh,
    find(search: string): void {
      store.setState({ search });
      void refresh();
    },
    create: async (settings: ChatSettings) =>
      (await attempt(() => host.call('chat_create', { settings })))?.chatId ?? null,
    fork,
    forkAt,
    async rename(chatId: ChatId, title: string): Promise<void> {
      await attempt(() => host.call('chat_rename', { chatId, title }));
    },
    exported: (chatId: ChatId, format: ChatFormat) =>
      attempt(() => host.call('chat_export', { chatId, format })),
    async remove(chatId: ChatId): Promise<void> {
      if ((await attempt(() => host.call('chat_remove', { chatId }))) === null) return;
      store.setState(({ drafts, unsent }) => ({
        drafts: { ...drafts, [chatId]: undefined },
        unsent: { ...unsent, [chatId]: undefined },
      }));
    },
    write,
    keep,
    hand(chatId: ChatId | null, text: string): void {
      const isReadOnly = store
        .getState()
        .items?.some(({ id, readOnly }) => id === chatId && readOnly !== null);
      store.setState(({ drafts, handed }) =>
        chatId === null || isReadOnly === true
          ? { handed: joined(handed ?? '', text) }
          : { drafts: { ...drafts, [chatId]: joined(drafts[chatId] ?? '', text) } },
      );
    },
    takeHanded(chatId: ChatId): void {
      store.setState(({ drafts, handed }) =>
        handed === null
          ? {}
          : { handed: null, drafts: { ...drafts, [chatId]: joined(drafts[chatId] ?? '', handed) } },
      );
    },
    want: (wanted: ChatLocateResponse | null) => store.setState({ wanted }),
    dismissError: () => store.setState({ error: null }),
  });
}

/** A draft with more text. */
function joined(draft: string, text: string): string {
  return draft.trim() === '' ? text : `${draft}\n\n${text}`;
}

/** The settings of a new conversation. */
export const FRESH_SETTINGS: ChatSettings = {
  answers: { type: 'manual' },
  systemPrompt: '',
  servers: [],
  instructionsOf: [],
  excluded: [],
  maxTools: 128,
  maxToolTokens: null,
  aliases: [],
  maxTokens: 4096,
  temperature: null,
  thinking: { type: 'default' },
  maxRounds: 20,
  maxTurnTokens: 200_000,
  rules: [],
};
