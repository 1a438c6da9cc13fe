import { createStore, type StoreApi } from 'zustand/vanilla';
import type {
  Calls,
  ChatAttachment,
  ChatEvent,
  ChatId,
  ChatItem,
  ChatLiveCall,
  ChatSeen,
  ChatSettings,
  ChatSummary,
  ChatVersions,
  CommandError,
  ExchangeId,
} from '../../contract/generated';
import type { Host } from '../../host/host';
import { cancelCall } from '../exchange/cancelCall';
import { commandError } from '../store/errors';
import { keepSame } from '../store/keepSame';
import { textOf as textOfBody } from '../text/textOf';
import { settingsChanges } from './settings';
import { NO_TEXT, type Streamed, grown } from './streamed';

/** A conversation that is open, as the engine reports it. */
export interface OpenConversation {
  /** Undefined until it is received. */
  summary: ChatSummary | undefined;
  settings: ChatSettings | undefined;
  attached: readonly ChatAttachment[];
  items: readonly ChatItem[];
  /** Whether all items that it had when it was opened have come: they come in parts, which are not worth drawing. */
  isLoaded: boolean;
  /** The number of items that it had then; undefined until it is received. */
  expected: number | undefined;
  /** The shown items that have other versions. */
  versions: readonly ChatVersions[];
  /** The models that were sent the shown items. */
  seen: readonly ChatSeen[];
  /** The ids of the calls whose app is shown. */
  apps: readonly string[];
  /** How many turns were begun here. A short one may begin and end between two states. */
  turns: number;
  /** The answer that is arriving. */
  live: LiveAnswer | null;
  /** Why the last command failed, or why the conversation could not be opened. */
  error: CommandError | null;
}

export interface LiveAnswer {
  by: string;
  atMs: number;
  text: string;
  /** The same in blocks of Markdown. */
  blocks: Streamed;
  thinking: string;
  calls: readonly ChatLiveCall[];
}

/** The commands that a conversation takes. */
type Command =
  | 'chat_send'
  | 'chat_continue'
  | 'chat_edit'
  | 'chat_regenerate'
  | 'chat_branch'
  | 'chat_stop'
  | 'chat_write'
  | 'chat_decide'
  | 'chat_send_as_is'
  | 'chat_attach'
  | 'chat_keep_current'
  | 'chat_detach'
  | 'chat_settings_set';

export type ConversationStore = StoreApi<OpenConversation> & {
  readonly chatId: ChatId;
  /** Runs a command; false if it failed, which is then shown. */
  run<N extends Command>(name: N, params: Omit<Calls[N]['params'], 'chatId'>): Promise<boolean>;
  /** Changes some settings, which are shown at once; false if the engine refused, and its own are shown again. */
  set(change: Partial<ChatSettings>): Promise<boolean>;
  /** Cancels a running call. Why it cannot is shown, unless it has ended: then its outcome is about to arrive. */
  cancelCall(exchangeId: ExchangeId): Promise<void>;
  dismissError(): void;
  /** Shows why something was not done. */
  refuse(message: string): void;
  /** Shows the app of a call, or ends it. */
  showApp(call: string, isShown: boolean): void;
  /** The app of a call runs. When more than four do, the one that began first ends: each is a page of its own. */
  appBegan(call: string): void;
  /** Opens the stream again, after the connection to the engine was lost. */
  reopen(): void;
  close(): void;
};

/** The commands that begin a turn. */
const BEGIN: ReadonlySet<Command> = new Set([
  'chat_send',
  'chat_continue',
  'chat_edit',
  'chat_regenerate',
] as const);

/** The commands that may not be given twice by a double click: the second would be refused, or be about the next turn. */
const ONCE: ReadonlySet<Command> = new Set([...BEGIN, 'chat_write'] as const);

/** How many apps of a conversation run at once. */
const MOST_APPS = 4;

/** A conversation of which nothing has come yet. */
export const NOTHING: OpenConversation = {
  summary: undefined,
  settings: undefined,
  attached: [],
  items: [],
  isLoaded: false,
  expected: undefined,
  versions: [],
  seen: [],
  apps: [],
  turns: 0,
  live: null,
  error: null,
};

/** Opens a conversation: it is up to date until `close`. */
export function openConversation(host: Host, chatId: ChatId): ConversationStore {
  const store = createStore<OpenConversation>(() => NOTHING);
  const connect = (): { close(): void } =>
    host.openStream(
      'chat_open',
      { chatId },
      {
        onEvent: (event) => store.setState((old) => apply(old, withChanges(event))),
        onEnd: (error) => error !== undefined && store.setState({ error }),
      },
    );
  const changes = settingsChanges(
    (settings) => run('chat_settings_set', { settings }),
    (settings) => store.setState({ settings }),
  );
  const withChanges = (event: ChatEvent): ChatEvent =>
    event.type === 'state' ? { ...event, settings: changes.received(event.settings) } : event;
  let stream = connect();
  /** The calls whose app runs, in the order in which they began. */
  let begun: readonly string[] = [];

  /** What is on its way of the commands that are given once, by name and parameters. */
  const underWay = new Map<string, Promise<boolean>>();

  function run<N extends Command>(name: N, params: Omit<Calls[N]['params'], 'chatId'>): Promise<boolean> {
    if (!ONCE.has(name)) return give(name, params);
    const key = `${name} ${JSON.stringify(params)}`;
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const given = give(name, params).finally(() => underWay.delete(key));
    underWay.set(key, given);
    return given;
  }

  async function give<N extends Command>(
    name: N,
    params: Omit<Calls[N]['params'], 'chatId'>,
  ): Promise<boolean> {
    try {
      // A turn uses the settings that are shown.
      if (BEGIN.has(name)) await changes.settled();
      await host.call(name, { chatId, ...params });
      store.setState(({ turns }) => ({ error: null, turns: BEGIN.has(name) ? turns + 1 : turns }));
      return true;
    } catch (thrown) {
      store.setState({ error: commandError(thrown) });
      return false;
    }
  }

  return Object.assign(store, {
    chatId,
    run,
    set: (change: Partial<ChatSettings>) => changes.set(change),
    async cancelCall(exchangeId: ExchangeId): Promise<void> {
      try {
        await cancelCall(host, exchangeId);
      } catch (thrown) {
        store.setState({ error: commandError(thrown) });
      }
    },
    dismissError: () => store.setState({ error: null }),
    refuse: (message: string) => store.setState({ error: { code: 'invalidParams', message, detail: null } }),
    showApp: (call: string, isShown: boolean) =>
      store.setState(({ apps }) => {
        const others = apps.filter((id) => id !== call);
        return { apps: isShown ? [...others, call] : others };
      }),
    appBegan(call: string): void {
      const { apps } = store.getState();
      begun = [...begun.filter((id) => id !== call && apps.includes(id)), call];
      const ended = begun.slice(0, Math.max(0, begun.length - MOST_APPS));
      if (ended.length > 0) store.setState({ apps: apps.filter((id) => !ended.includes(id)) });
    },
    reopen(): void {
      stream.close();
      store.setState(NOTHING);
      stream = connect();
    },
    close: () => stream.close(),
  });
}

/** The conversation after an event. */
export function apply(old: OpenConversation, event: ChatEvent): OpenConversation {
  switch (event.type) {
    case 'state': {
      const { summary, attached, versions, seen, total } = event;
      const expected = old.expected ?? total;
      // It comes with each change of an item, while what the model is given is pulled again when the settings change.
      const settings = keepSame(old.settings, event.settings);
      return {
        ...old,
        summary,
        settings,
        attached,
        versions,
        seen,
        expected,
        isLoaded: old.isLoaded || expected === 0,
      };
    }
    case 'branch': {
      const items = old.items.slice(0, event.stay);
      const ids = new Set(items.map(idOf));
      return { ...old, items, apps: old.apps.filter((id) => ids.has(id)) };
    }
    case 'items': {
      const items = merged(old.items, event.items);
      const isLoaded = old.isLoaded || (old.expected !== undefined && items.length >= old.expected);
      const live = liveAfter(old.live, event.items);
      return { ...old, items, isLoaded, live, apps: appsAfter(old, event.items) };
    }
    case 'live': {
      const { by, atMs } = event;
      return {
        ...old,
        live: by === null ? null : { by, atMs, text: '', blocks: NO_TEXT, thinking: '', calls: [] },
      };
    }
    case 'liveMore': {
      if (old.live === null) return old;
      const text = old.live.text + event.text;
      const thinking = old.live.thinking + event.thinking;
      const blocks = grown(old.live.blocks, text);
      const live = { ...old.live, text, blocks, thinking, calls: event.calls };
      return { ...old, live };
    }
  }
}

export function idOf(item: ChatItem): string {
  return item.type === 'call' ? item.call.id : item.id;
}

/** The items with new and changed ones. Ids are numbers that count up, so most changes are at the end. */
function merged(old: readonly ChatItem[], changed: readonly ChatItem[]): readonly ChatItem[] {
  const items = [...old];
  const places = new Map(changed.map((item) => [idOf(item), item]));
  for (let at = items.length - 1; at >= 0 && places.size > 0; at -= 1) {
    const item = items[at];
    const next = item === undefined ? undefined : places.get(idOf(item));
    if (next === undefined) continue;
    items[at] = next;
    places.delete(idOf(next));
  }
  // A map keeps the order of insertion.
  items.push(...places.values());
  return items;
}

/** The answer that is arriving, unless it is among these items: its end comes after them, and it would be drawn twice until then. */
function liveAfter(live: LiveAnswer | null, changed: readonly ChatItem[]): LiveAnswer | null {
  const isThere = changed.some((item) => item.type === 'answer' && item.atMs === live?.atMs);
  return isThere ? null : live;
}

/**
 * The calls whose app is shown after these items came: those that have just returned a result. The next message of the user ends
 * them. What was there when the conversation was opened is shown only if the user wants it.
 */
function appsAfter(old: OpenConversation, changed: readonly ChatItem[]): readonly string[] {
  if (!old.isLoaded) return old.apps;
  // Changes are at the end of a conversation, so what was there before is soon found.
  const before = (id: string): ChatItem | undefined => old.items.findLast((item) => idOf(item) === id);
  const isRunning = old.summary?.phase !== 'idle';
  let apps = old.apps;
  for (const item of changed) {
    if (item.type === 'user' && item.from === null && before(item.id) === undefined) apps = [];
    if (item.type !== 'call' || item.call.result === null) continue;
    const known = before(item.call.id);
    const isNew = known === undefined ? isRunning : known.type === 'call' && known.call.result === null;
    if (isNew) apps = [...apps, item.call.id];
  }
  return apps;
}

/** The last message that the user wrote. */
export function lastWritten(items: readonly ChatItem[]): string | null {
  const last = items.findLast((item) => item.type === 'user' && item.from === null);
  return last === undefined ? null : idOf(last);
}

/** The text of a message, without what is attached; null if it is too long to be edited here. */
export function textOf({ content }: Extract<ChatItem, { type: 'user' }>): string | null {
  const texts = content.flatMap((each) => (each.type === 'text' ? [each.text.inline] : []));
  return texts.includes(null) ? null : texts.join('\n');
}

/** The same however long it is; what is not here is fetched. Rejects with a `CommandFailure`. */
export async function wholeTextOf(
  host: Host,
  { content }: Extract<ChatItem, { type: 'user' }>,
): Promise<string> {
  const texts = content.flatMap((each) => (each.type === 'text' ? [textOfBody(host, each.text)] : []));
  return (await Promise.all(texts)).join('\n');
}
