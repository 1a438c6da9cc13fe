import type { AppEvent, AppTopic } from '../../contract/generated';
import type { Host, StreamHandle } from '../../host/host';
import type { Link } from '../../host/link';

/** The events of the engine, received once for the whole window. */
export interface AppEvents {
  /** Calls `listener` at each event of a topic, until the returned function is called. */
  subscribe(topic: AppTopic, listener: (event: AppEvent) => void): () => void;
  /** Calls `listener` when events may have been missed: everything shown must be pulled again. */
  onResync(listener: () => void): () => void;
}

/** How long to wait before the events are received again after the engine has ended them, in ms. */
const REOPEN_MS = 1000;

export function createAppEvents(host: Host, link: Link): AppEvents {
  const listeners = new Map<AppTopic, Set<(event: AppEvent) => void>>();
  const resyncs = new Set<() => void>();
  let handle: StreamHandle | undefined;

  let reopening: ReturnType<typeof setTimeout> | undefined;

  function open(): void {
    clearTimeout(reopening);
    handle?.close();
    handle = host.openStream(
      'app_watch',
      {},
      {
        onEvent: (event) => {
          for (const listener of listeners.get(event.topic) ?? []) listener(event);
        },
        onEnd: (error) => {
          // Without an error, the engine is closing. A link that is lost says when it is up.
          if (error !== undefined && link.status === 'up') reopening = setTimeout(resume, REOPEN_MS);
        },
      },
    );
  }

  function resume(): void {
    if (link.status !== 'up') return;
    open();
    for (const resync of resyncs) resync();
  }

  open();
  link.subscribe(resume);

  return {
    subscribe(topic, listener) {
      const ofTopic = listeners.get(topic) ?? new Set();
      listeners.set(topic, ofTopic.add(listener));
      return () => ofTopic.delete(listener);
    },
    onResync(listener) {
      resyncs.add(listener);
      return () => resyncs.delete(listener);
    },
  };
}
