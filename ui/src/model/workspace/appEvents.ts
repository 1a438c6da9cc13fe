import type { AppEvent } from '../../contract/generated';
import type { Host, StreamHandle } from '../../host/host';
import type { Link } from '../../host/link';

/** The events of the engine, received once for the whole window. */
export interface AppEvents {
  /** Calls `listener` at each event, until the returned function is called. */
  subscribe(listener: (event: AppEvent) => void): () => void;
  /** Calls `listener` when events may have been missed: everything shown must be pulled again. */
  onResync(listener: () => void): () => void;
}

export function createAppEvents(host: Host, link: Link): AppEvents {
  const listeners = new Set<(event: AppEvent) => void>();
  const resyncs = new Set<() => void>();
  let handle: StreamHandle | undefined;

  function open(): void {
    handle?.close();
    handle = host.openStream(
      'app_watch',
      {},
      {
        onEvent: (event) => {
          for (const listener of listeners) listener(event);
        },
      },
    );
  }

  open();
  link.subscribe((status) => {
    if (status !== 'up') return;
    open();
    for (const resync of resyncs) resync();
  });

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onResync(listener) {
      resyncs.add(listener);
      return () => resyncs.delete(listener);
    },
  };
}
