import type { StoreApi } from 'zustand/vanilla';
import type { InputId, InputItem, ServerId, ServerItem } from '../../contract/generated';
import type { Host } from '../../host/host';
import { formatCount } from '../text/format';
import type { UiState } from '../workspace/uiState';
import type { InputsStore } from './inputs';
import { requestInWords } from './inputRequest';

/** At most one notification in so many ms; requests that come in between are counted in the next one. */
const EVERY_MS = 5_000;

/** What a notification leads to. */
export interface NoticeTargets {
  openInput: (id: InputId) => void;
  openRoots: (id: ServerId) => void;
}

interface NoticeSources {
  inputs: InputsStore;
  /** Servers that ask for folders which they do not get without consent. */
  servers: Pick<StoreApi<{ items: readonly ServerItem[] | undefined }>, 'getState' | 'subscribe'>;
  ui: { getState(): Pick<UiState, 'notifies'> };
}

/** Something that waits for the user. */
interface Waiting {
  key: string;
  title: string;
  open: () => void;
}

/**
 * Notifies the user of new requests while the window is not in front, until the returned function is called. What a server
 * writes is not in a notification: it may be shown on a locked screen, and it would look as if the system said it.
 */
export function notifyOfInputs(
  { notifier }: Pick<Host, 'notifier'>,
  { inputs, servers, ui }: NoticeSources,
  targets: NoticeTargets,
): () => void {
  if (notifier === undefined) return () => undefined;
  const waiting = (): Waiting[] => [
    ...waitingInputs(inputs.getState().items, targets),
    ...waitingConsent(servers.getState().items ?? [], targets),
  ];
  let known = new Set(waiting().map(({ key }) => key));
  let pending = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shownAt = -Infinity;

  const show = (): void => {
    timer = undefined;
    const all = waiting();
    const news = all.filter(({ key }) => pending.has(key));
    pending = new Set();
    const [first] = news;
    if (first === undefined || isInFront() || !ui.getState().notifies) return;
    if (notifier.permission() !== 'granted') return;
    shownAt = Date.now();
    const title = news.length === 1 ? first.title : `${formatCount(news.length)} new server requests`;
    const body =
      all.length === 1
        ? 'Waiting in the inbox.'
        : `${formatCount(all.length)} requests are waiting in the inbox.`;
    notifier.show({ title, body }, first.open);
  };

  const look = (): void => {
    const all = waiting();
    const news = all.filter(({ key }) => !known.has(key));
    known = new Set(all.map(({ key }) => key));
    if (news.length === 0 || isInFront()) return;
    for (const { key } of news) pending.add(key);
    timer ??= setTimeout(show, Math.max(0, shownAt + EVERY_MS - Date.now()));
  };
  const unsubscribe = [inputs.subscribe(look), servers.subscribe(look)];
  return () => {
    for (const end of unsubscribe) end();
    clearTimeout(timer);
  };
}

function waitingInputs(items: readonly InputItem[], { openInput }: NoticeTargets): Waiting[] {
  return (
    items
      // What the simulator answers is nothing to come back for.
      .filter(({ simulated }) => simulated === undefined)
      .map((item) => ({
        key: `input ${item.id}`,
        title: requestInWords(item),
        open: () => openInput(item.id),
      }))
  );
}

function waitingConsent(servers: readonly ServerItem[], { openRoots }: NoticeTargets): Waiting[] {
  return servers
    .filter(({ withheldRoots }) => (withheldRoots ?? 0) > 0)
    .map(({ id, draft }) => ({
      key: `roots ${id}`,
      title: `${draft.name} requested your roots`,
      open: () => openRoots(id),
    }));
}

function isInFront(): boolean {
  return !document.hidden && document.hasFocus();
}
