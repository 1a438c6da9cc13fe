import type { InputId, InputItem } from '../../contract/generated';
import type { Host } from '../../host/host';
import { formatCount } from '../text/format';
import type { UiState } from '../workspace/uiState';
import type { InputsStore } from './inputs';
import { requestInWords } from './inputRequest';

/** At most one notification in so many ms; requests that come in between are counted in the next one. */
const EVERY_MS = 5_000;

/**
 * Notifies the user of new requests while the window is not in front, until the returned function is called. What a server
 * writes is not in a notification: it may be shown on a locked screen, and it would look as if the system said it.
 */
export function notifyOfInputs(
  { notifier }: Pick<Host, 'notifier'>,
  inputs: InputsStore,
  ui: { getState(): Pick<UiState, 'notifies'> },
  open: (id: InputId) => void,
): () => void {
  if (notifier === undefined) return () => undefined;
  const known = new Set<InputId>(inputs.getState().items.map(({ id }) => id));
  let pending: InputItem[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shownAt = -Infinity;

  const show = (): void => {
    timer = undefined;
    const waiting = new Set(inputs.getState().items.map(({ id }) => id));
    const news = pending.filter(({ id }) => waiting.has(id));
    pending = [];
    const [first] = news;
    if (first === undefined || isInFront() || !ui.getState().notifies) return;
    if (notifier.permission() !== 'granted') return;
    shownAt = Date.now();
    const title =
      news.length === 1 ? requestInWords(first) : `${formatCount(news.length)} new requests of servers`;
    const body =
      waiting.size === 1
        ? 'It waits in the inbox.'
        : `${formatCount(waiting.size)} requests wait in the inbox.`;
    notifier.show({ title, body }, () => open(first.id));
  };

  const unsubscribe = inputs.subscribe(({ items }) => {
    // What the simulator answers is nothing to come back for.
    const news = items.filter(({ id, simulated }) => simulated === undefined && !known.has(id));
    if (news.length === 0) return;
    known.clear();
    for (const { id } of items) known.add(id);
    if (isInFront()) return;
    pending.push(...news);
    timer ??= setTimeout(show, Math.max(0, shownAt + EVERY_MS - Date.now()));
  });
  return () => {
    unsubscribe();
    clearTimeout(timer);
  };
}

function isInFront(): boolean {
  return !document.hidden && document.hasFocus();
}
