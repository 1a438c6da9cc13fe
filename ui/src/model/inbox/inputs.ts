import { createStore, type StoreApi } from 'zustand/vanilla';
import type {
  AnsweredInput,
  CommandError,
  InputAnswer,
  InputId,
  InputItem,
  WithdrawnInput,
} from '../../contract/generated';
import type { Host } from '../../host/host';
import type { AppEvents } from '../workspace/appEvents';
import { coalesce } from '../store/coalesce';
import { commandError } from '../store/errors';

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
  /** Requests already shown to the user; these do not open automatically again. */
  offered: ReadonlySet<InputId>;
}

/** How often they are pulled at most, in ms. */
const PULL_EVERY_MS = 50;

export type InputsStore = StoreApi<InputsState> & {
  /** Pulls the requests now. */
  refresh(): Promise<void>;
  /** Sends an answer. Rejects with a `CommandFailure`; the request is then still pending, or was withdrawn. */
  answer(id: InputId, answer: InputAnswer): Promise<void>;
  /** Keeps a draft of an answer. */
  keepDraft(id: InputId, text: string): void;
  /** Marks a request as shown. */
  offer(id: InputId): void;
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
    offered: new Set(),
  }));
  const dismissed = new Set<InputId>();

  async function pull(): Promise<void> {
    try {
      const { items, withdrawn, answered } = await host.call('input_list', {});
      const left = withdrawn.filter(({ id }) => !dismissed.has(id));
      const alive = new Set([...items, ...left].map(({ id }) => id));
      store.setState(({ drafts, offered }) => ({
        items,
        withdrawn: left,
        answered,
        error: null,
        drafts: Object.fromEntries(Object.entries(drafts).filter(([id]) => alive.has(id as InputId))),
        offered: new Set([...offered].filter((id) => alive.has(id))),
      }));
    } catch (thrown) {
      store.setState({ error: commandError(thrown) });
    }
  }

  const refresh = coalesce(pull, PULL_EVERY_MS);

  events.subscribe('inputs', () => void refresh());
  events.onResync(() => void refresh());

  return Object.assign(store, {
    refresh,
    async answer(inputId: InputId, answer: InputAnswer): Promise<void> {
      await host.call('input_answer', { inputId, answer });
      await refresh();
    },
    keepDraft(id: InputId, text: string): void {
      store.setState(({ drafts }) => ({ drafts: { ...drafts, [id]: text } }));
    },
    offer(id: InputId): void {
      store.setState(({ offered }) => (offered.has(id) ? {} : { offered: new Set([...offered, id]) }));
    },
    dismissWithdrawn(): void {
      for (const { id } of store.getState().withdrawn) dismissed.add(id);
      store.setState({ withdrawn: [] });
    },
  });
}

/**
 * The request that opens automatically: the oldest not shown yet. Never one for roots: servers request those as soon as they
 * are connected, when the user is about to do something else.
 */
export function nextToOffer({ items, offered }: InputsState): InputItem | undefined {
  return items.find(({ id, kind }) => kind !== 'roots' && !offered.has(id));
}
