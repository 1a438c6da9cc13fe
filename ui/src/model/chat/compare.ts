import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ChatId, ChatItem, ChatSettings } from '../../contract/generated';
import type { Host } from '../../host/host';
import type { AppEvents } from '../workspace/appEvents';
import type { ChatsStore } from './chats';
import { type ConversationStore, openConversation } from './conversation';

/** How many conversations can be compared. */
export const MOST_COLUMNS = 6;

/** One prompt for several conversations, side by side. */
export interface Compare {
  /** Whether it is shown in place of a conversation. */
  isOpen: boolean;
  /** Each column is a conversation of its own, which can be opened as one. */
  columns: readonly ConversationStore[];
  prompt: string;
  /** The prompt waits for columns that are still opened, or is being sent. */
  isSending: boolean;
}

export type CompareStore = StoreApi<Compare> & {
  /** Shows it; with two columns like `settings` if it has none. */
  open(settings: ChatSettings): Promise<void>;
  /** Shows a conversation again. What runs goes on. */
  hide(): void;
  /** Adds a column. */
  add(settings: ChatSettings): Promise<void>;
  /** Takes a column away; its conversation stays in the list if it was used. */
  remove(chatId: ChatId): void;
  write(prompt: string): void;
  /** Sends the prompt in all columns that are idle. Waits for those that are still opened: none is left out silently. */
  send(): Promise<void>;
  /** Stops all turns. */
  stop(): void;
};

export function createCompare(host: Host, events: AppEvents, chats: ChatsStore): CompareStore {
  const store = createStore<Compare>(() => ({
    isOpen: false,
    columns: [],
    prompt: '',
    isSending: false,
  }));
  /** The columns that are added now. */
  let adding: Promise<unknown> = Promise.resolve();

  function untilAdded(added: Promise<void>): Promise<void> {
    adding = Promise.all([adding, added]);
    return added;
  }

  /** Resolves once it is known what a column does, when it could not be opened, or when it was taken away. */
  function untilKnown(column: ConversationStore): Promise<void> {
    return new Promise((resolve) => {
      const stops: (() => void)[] = [];
      const look = (): void => {
        const { summary, error } = column.getState();
        const isThere = store.getState().columns.includes(column);
        if (summary === undefined && error === null && isThere) return;
        stops.forEach((stop) => stop());
        resolve();
      };
      stops.push(column.subscribe(look), store.subscribe(look));
      look();
    });
  }

  async function sendAll(): Promise<void> {
    const { prompt } = store.getState();
    if (prompt.trim() === '') return;
    await adding;
    const { columns } = store.getState();
    await Promise.all(columns.map(untilKnown));
    const idle = columns.filter(
      (column) => column.getState().summary?.phase === 'idle' && store.getState().columns.includes(column),
    );
    const sent = await Promise.all(idle.map((column) => column.run('chat_send', { text: prompt })));
    // It stays while no column took it; each column that did not says why.
    if (sent.some(Boolean) && store.getState().prompt === prompt) store.setState({ prompt: '' });
  }

  async function openColumns(settings: ChatSettings): Promise<void> {
    while (store.getState().columns.length < 2) {
      const before = store.getState().columns.length;
      await add(settings);
      // The list of conversations says why.
      if (store.getState().columns.length === before) return;
    }
  }

  async function add(settings: ChatSettings): Promise<void> {
    if (store.getState().columns.length >= MOST_COLUMNS) return;
    // Rules are what the user decided about one conversation.
    const chatId = await chats.create({ ...settings, rules: [] });
    if (chatId === null) return;
    const column = openConversation(host, chatId);
    store.setState(({ columns }) => ({ columns: [...columns, column] }));
  }

  // The columns stay open while something else is shown, so their streams may end at any time.
  events.onResync(() => store.getState().columns.forEach((column) => column.reopen()));

  return Object.assign(store, {
    open(settings: ChatSettings): Promise<void> {
      store.setState({ isOpen: true });
      // After those that are being added: two clicks would make more than two.
      return untilAdded(adding.then(() => openColumns(settings)));
    },
    hide: () => store.setState({ isOpen: false }),
    add: (settings: ChatSettings) => untilAdded(add(settings)),
    remove(chatId: ChatId): void {
      const { columns } = store.getState();
      columns.find((column) => column.chatId === chatId)?.close();
      store.setState({ columns: columns.filter((column) => column.chatId !== chatId) });
    },
    write: (prompt: string) => store.setState({ prompt }),
    async send(): Promise<void> {
      // Pressed again while it waits, it would be sent twice.
      if (store.getState().isSending) return;
      store.setState({ isSending: true });
      await sendAll().finally(() => store.setState({ isSending: false }));
    },
    stop(): void {
      for (const column of store.getState().columns) {
        if (column.getState().summary?.phase !== 'idle') void column.run('chat_stop', {});
      }
    },
  });
}

/** What the newest turn of a conversation took. */
export interface TurnCost {
  /** From the message to the end of the last answer or call, in ms. */
  ms: number;
  /** The tokens that its requests and answers had together, as far as the provider counts them. */
  inputTokens: number;
  outputTokens: number;
  answers: number;
  /** The calls by their alias, in the order of the first of each, with how many there were. */
  calls: readonly { alias: string; count: number }[];
}

/** What the newest turn took; null before the first message. */
export function turnCostOf(items: readonly ChatItem[]): TurnCost | null {
  const begin = items.findLastIndex((item) => item.type === 'user');
  const message = items[begin];
  if (message?.type !== 'user') return null;
  const cost = { ms: 0, inputTokens: 0, outputTokens: 0, answers: 0 };
  const calls = new Map<string, number>();
  for (const item of items.slice(begin + 1)) {
    if (item.type === 'answer') {
      cost.answers += 1;
      cost.inputTokens += item.inputTokens ?? 0;
      cost.outputTokens += item.outputTokens ?? 0;
      cost.ms = Math.max(cost.ms, item.atMs + item.tookMs - message.atMs);
    } else if (item.type === 'call') {
      const { alias, atMs, durationMs } = item.call;
      calls.set(alias, (calls.get(alias) ?? 0) + 1);
      cost.ms = Math.max(cost.ms, atMs + (durationMs ?? 0) - message.atMs);
    }
  }
  return { ...cost, calls: [...calls].map(([alias, count]) => ({ alias, count })) };
}
