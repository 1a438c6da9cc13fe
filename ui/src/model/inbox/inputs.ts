import { createStore, type StoreApi } from 'zustand/vanilla';
import type {
  AnsweredInput,
  CommandError,
  InputAnswer,
  InputId,
  InputItem,
  ServerId,
  WithdrawnInput,
} from '../../contract/generated';
import type { Host } from '../../host/host';
import type { AppEvents } from '../workspace/appEvents';
import { coalesce } from '../store/coalesce';
import { commandError } from '../store/errors';

/** Whether a draft may be written down. */
export type MayKeep = (item: InputItem, draft: string) => boolean;

/** The requests of servers to the user, and the drafts of their answers. */
export interface InputsState {
  /** Pending requests, oldest first. */
  items: InputItem[];
  /** Withdrawn requests that have not been dismissed, newest first. */
  withdrawn: WithdrawnInput[];
  /** The last answered requests, newest first. */
  answered: AnsweredInput[];
  /** Why the last pull failed. */
  error: CommandError | null;
  /** Unsent answers, kept when the dialog closes. */
  drafts: Partial<Record<InputId, string>>;
  /** Whether the draft of an answer to a form may be written down, as what writes the draft tells it: no secret may be in it. */
  keepers: Partial<Record<InputId, MayKeep>>;
  /** Requests already shown to the user; these do not open automatically again. */
  offered: ReadonlySet<InputId>;
  /** Elicitations whose page the user has opened. */
  visited: ReadonlySet<InputId>;
  /** Servers that sent so many requests that these wait in the inbox without opening. */
  quiet: ReadonlySet<ServerId>;
}

/** How many requests of a server open automatically within a minute. */
export const OPENED_A_MINUTE = 5;
const MINUTE_MS = 60_000;

/** How often they are pulled at most, in ms. */
const PULL_EVERY_MS = 50;

export type InputsStore = StoreApi<InputsState> & {
  /** Pulls the requests now. */
  refresh(): Promise<void>;
  /** Sends an answer. Rejects with a `CommandFailure`; the request is then still pending, or was withdrawn. */
  answer(id: InputId, answer: InputAnswer): Promise<void>;
  /** Takes a request from the simulator. Rejects with a `CommandFailure` if it is no longer pending. */
  takeOver(id: InputId): Promise<void>;
  /** Keeps a draft of an answer. Only with `mayKeep`, that to a form may be kept when the page is reloaded. */
  keepDraft(id: InputId, text: string, mayKeep?: MayKeep): void;
  /** Marks a request as shown. */
  offer(id: InputId): void;
  /** Marks the page of an elicitation as opened. */
  visit(id: InputId): void;
  /** Marks a request as shown if it may open automatically; otherwise its server is quiet from now on. */
  offerAutomatically(id: InputId): boolean;
  /** Lets the requests of a quiet server open again. */
  unquiet(serverId: ServerId): void;
  /**
   * Gives every pending request of a server the same answer, by kind. One that is gone needs none. Rejects with the
   * first `CommandFailure` after the others were answered.
   */
  answerAll(serverId: ServerId, answerOf: (item: InputItem) => InputAnswer | undefined): Promise<void>;
  /** Removes withdrawn requests. */
  dismissWithdrawn(): void;
};

export function createInputs(host: Host, events: AppEvents): InputsStore {
  const store = createStore<InputsState>(() => ({
    items: [],
    withdrawn: [],
    answered: [],
    error: null,
    drafts: {},
    keepers: {},
    offered: new Set(),
    visited: new Set(),
    quiet: new Set(),
  }));
  const dismissed = new Set<InputId>();
  /** Answered here. A list that was requested before may still have them. */
  const ended = new Set<InputId>();
  /** When requests opened automatically, by server and call: calls that the user starts one after the other are no flood. */
  const opened = new Map<string, number[]>();

  async function pull(): Promise<void> {
    try {
      const known = new Map(store.getState().items.map((item) => [item.id, item]));
      // A pending request may be large: it is pulled once, and again if it changed.
      const list = await host.call('input_list', { known: [...known.keys()] });
      const { withdrawn, answered } = list;
      const still = (list.still ?? []).flatMap((id) => known.get(id) ?? []);
      const items = [...still, ...list.items]
        .filter(({ id }) => !ended.has(id))
        .toSorted((a, b) => Number(a.id) - Number(b.id));
      const left = withdrawn.filter(({ id }) => !dismissed.has(id));
      const alive = new Set([...items, ...left].map(({ id }) => id));
      const asking = new Set(items.map(({ serverId }) => serverId));
      store.setState(({ drafts, keepers, offered, visited, quiet }) => ({
        items,
        withdrawn: left,
        answered,
        error: null,
        drafts: Object.fromEntries(Object.entries(drafts).filter(([id]) => alive.has(id as InputId))),
        keepers: Object.fromEntries(Object.entries(keepers).filter(([id]) => alive.has(id as InputId))),
        offered: new Set([...offered].filter((id) => alive.has(id))),
        visited: new Set([...visited].filter((id) => alive.has(id))),
        quiet: new Set([...quiet].filter((id) => asking.has(id))),
      }));
    } catch (thrown) {
      store.setState({ error: commandError(thrown) });
    }
  }

  const refresh = coalesce(pull, PULL_EVERY_MS);

  function offer(id: InputId): void {
    store.setState(({ offered }) => (offered.has(id) ? {} : { offered: new Set([...offered, id]) }));
  }

  events.subscribe('inputs', () => void refresh());
  events.onResync(() => void refresh());

  return Object.assign(store, {
    refresh,
    async answer(inputId: InputId, answer: InputAnswer): Promise<void> {
      await host.call('input_answer', { inputId, answer });
      ended.add(inputId);
      store.setState(({ items }) => ({ items: items.filter(({ id }) => id !== inputId) }));
      void refresh();
    },
    async takeOver(inputId: InputId): Promise<void> {
      await host.call('input_take_over', { inputId });
      await refresh();
    },
    keepDraft(id: InputId, text: string, mayKeep?: MayKeep): void {
      store.setState(({ drafts, keepers }) => ({
        drafts: { ...drafts, [id]: text },
        keepers: { ...keepers, [id]: mayKeep },
      }));
    },
    offer,
    visit(id: InputId): void {
      store.setState(({ visited }) => ({ visited: new Set([...visited, id]) }));
    },
    offerAutomatically(id: InputId): boolean {
      const item = store.getState().items.find((each) => each.id === id);
      if (item === undefined) return false;
      const { serverId } = item;
      const now = Date.now();
      for (const [key, at] of opened) if (at.every((each) => now - each >= MINUTE_MS)) opened.delete(key);
      const key = callOf(item);
      const times = (opened.get(key) ?? []).filter((at) => now - at < MINUTE_MS);
      opened.set(key, times);
      if (times.length >= OPENED_A_MINUTE) {
        store.setState(({ quiet }) => ({ quiet: new Set([...quiet, serverId]) }));
        return false;
      }
      times.push(now);
      offer(id);
      return true;
    },
    unquiet(serverId: ServerId): void {
      for (const key of opened.keys()) if (key.startsWith(`${serverId} `)) opened.delete(key);
      store.setState(({ quiet }) => ({ quiet: new Set([...quiet].filter((id) => id !== serverId)) }));
    },
    async answerAll(
      serverId: ServerId,
      answerOf: (item: InputItem) => InputAnswer | undefined,
    ): Promise<void> {
      const failures: unknown[] = [];
      for (const item of store.getState().items) {
        const answer = item.serverId === serverId ? answerOf(item) : undefined;
        if (answer === undefined) continue;
        try {
          // One after the other, in their order.
          // oxlint-disable-next-line no-await-in-loop
          await host.call('input_answer', { inputId: item.id, answer });
        } catch (thrown) {
          // It was withdrawn, or answered elsewhere.
          if (commandError(thrown).code !== 'notFound') failures.push(thrown);
        }
      }
      await refresh();
      if (failures.length > 0) throw failures[0];
    },
    dismissWithdrawn(): void {
      for (const { id } of store.getState().withdrawn) dismissed.add(id);
      store.setState({ withdrawn: [] });
    },
  });
}

/** The call that a request belongs to, as far as that is known, with its server. */
function callOf({ serverId, aboutExchange, during }: InputItem): string {
  const [only, ...more] = during;
  return `${serverId} ${aboutExchange ?? (more.length === 0 ? only?.exchange : undefined) ?? ''}`;
}

/**
 * The request that opens automatically: the oldest not shown yet. Never one for roots: servers request those as soon as they
 * are connected, when the user is about to do something else. Nor one that the simulator answers.
 */
export function nextToOffer({ items, offered, quiet }: InputsState): InputItem | undefined {
  return items.find(
    ({ id, kind, serverId, simulated }) =>
      kind !== 'roots' && simulated === undefined && !offered.has(id) && !quiet.has(serverId),
  );
}
