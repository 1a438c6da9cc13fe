import type { ServerId } from '../../contract/generated';
import type { Chats } from '../chat/chats';
import type { Exchange } from '../exchange/exchange';
import { type BegunAnswer, begunAnswers, restoreAnswers } from '../inbox/request/keptAnswers';
import type { ExchangeKey } from '../exchange/request';
import type { ExchangeList } from '../exchange/exchanges';
import type { Model } from '../workspace/context';
import type { Workspace } from '../workspace/workspace';

/**
 * What a reload of the page keeps, in the storage of this tab: what the user has typed and selected, and the requests with
 * their results, which name bodies in the traffic log. It is gone with the tab; nothing of it is written to the settings. Of an
 * answer to a server that may hold a secret, nothing is kept.
 */

const KEY = 'patchbay.session';
/** Another build may give these values another form. Its file has another name. */
const BUILD = import.meta.url;
/** The most that is kept, in characters. A tab may keep about five million. */
const MOST = 2_000_000;

/** The stores that a session is saved from and restored to. */
type SessionStores = Pick<
  Model,
  | 'toolDrafts'
  | 'promptViews'
  | 'resourceViews'
  | 'skillViews'
  | 'composer'
  | 'exchanges'
  | 'workspace'
  | 'chats'
  | 'inputs'
  | 'sampling'
>;

/** The stores that are kept whole, in the order of their importance. */
const WHOLE = ['toolDrafts', 'promptViews', 'resourceViews', 'composer', 'skillViews'] as const;

/** What is kept of other stores. */
interface Parts {
  workspace: Pick<Workspace, 'toolQueries' | 'subscriptionDrafts'>;
  /** What was written and begun in conversations. */
  chats: Pick<Chats, 'drafts' | 'unsent' | 'handed'>;
  answers: BegunAnswer[];
}

function partsOf({ workspace, chats, inputs, sampling }: SessionStores): Parts {
  const { toolQueries, subscriptionDrafts } = workspace.getState();
  const { drafts, unsent, handed } = chats.getState();
  return {
    workspace: { toolQueries, subscriptionDrafts },
    chats: { drafts, unsent, handed },
    answers: begunAnswers(inputs.getState(), sampling.getState()),
  };
}

function restoreParts(model: SessionStores, { workspace, chats, answers = [] }: Partial<Parts>): void {
  if (workspace !== undefined) model.workspace.setState(workspace);
  if (chats !== undefined) model.chats.setState(chats);
  restoreAnswers(answers, model);
}

/** Writes down what is kept. Never fails: what does not fit is left out, old results first. */
export function saveSession(model: SessionStores, storage: Storage): void {
  let left = MOST;
  const take = (value: unknown): string | null => {
    const text = write(value);
    if (text.length > left) return null;
    left -= text.length;
    return text;
  };
  const whole = WHOLE.map((name) => take(model[name].getState()));
  const parts = Object.entries(partsOf(model)).map(([name, part]) => [name, take(part)] as const);
  const exchanges = newestFirst(model.exchanges.getState()).map(([key, exchange]) => take([key, exchange]));
  try {
    storage.setItem(KEY, JSON.stringify({ build: BUILD, whole, parts, exchanges }));
  } catch {
    // Storage may be full or forbidden; a reload then begins from the start.
    storage.removeItem(KEY);
  }
}

/** Takes over what was kept before the page was reloaded, once. */
export function restoreSession(model: SessionStores, storage: Storage): void {
  const text = storage.getItem(KEY);
  if (text === null) return;
  storage.removeItem(KEY);
  try {
    const saved = JSON.parse(text) as Record<'whole' | 'exchanges', (string | null)[]> & {
      build: string;
      parts: [string, string | null][];
    };
    if (saved.build !== BUILD) return;
    for (const [at, name] of WHOLE.entries()) {
      const part = saved.whole[at];
      // What is loaded has the type of what was saved: the same build wrote it.
      if (typeof part === 'string') model[name].setState(read(part) as never);
    }
    const parts = saved.parts.flatMap(([name, part]) => (part === null ? [] : [[name, read(part)] as const]));
    restoreParts(model, Object.fromEntries(parts));
    for (const serverId of Object.keys(model.composer.getState()) as ServerId[])
      model.composer.change(serverId, { sending: false });
    const entries = saved.exchanges.filter((each) => each !== null);
    model.exchanges.restore(listsOf(entries.map((each) => read(each) as [ExchangeKey, Exchange])));
  } catch {
    // Something else wrote under this name: the page begins from the start.
  }
}

function newestFirst(lists: Record<ExchangeKey, ExchangeList>): [ExchangeKey, Exchange][] {
  return (Object.entries(lists) as [ExchangeKey, ExchangeList][])
    .flatMap(([key, { items }]) => items.map((exchange): [ExchangeKey, Exchange] => [key, exchange]))
    .toSorted(([, a], [, b]) => b.id - a.id);
}

/** The exchanges by key, newest first. Nobody is asked again to cancel one. */
function listsOf(entries: [ExchangeKey, Exchange][]): Record<ExchangeKey, ExchangeList> {
  const lists: Record<ExchangeKey, ExchangeList> = {};
  for (const [key, exchange] of entries) {
    const list = (lists[key] ??= { items: [], shown: exchange.id, compared: null });
    list.items.push({ ...exchange, cancelling: false });
  }
  return lists;
}

/** JSON with maps and sets. */
function write(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (member instanceof Map) return { $map: [...member] };
    return member instanceof Set ? { $set: [...member] } : member;
  });
}

function read(text: string): unknown {
  return JSON.parse(text, (_, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    const { $map, $set } = member as Record<string, unknown>;
    if (Array.isArray($map)) return new Map($map as [unknown, unknown][]);
    if (Array.isArray($set)) return new Set($set);
    // Names come from servers: one may be `constructor`.
    return Object.assign(Object.create(null) as object, member);
  });
}
