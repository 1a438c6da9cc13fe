import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Host } from '../../host/host';
import type { AppEvents } from './appEvents';

/** The links that the program was started with and that were not shown yet, oldest first. */
export interface DeepLinksStore extends StoreApi<{ waiting: readonly string[] }> {
  /** Asks the engine for them. Never rejects. */
  pull(): Promise<void>;
  /** The next one, which does not wait any more. */
  next(): string | undefined;
}

export function createDeepLinks(host: Host, events: AppEvents): DeepLinksStore {
  const store = createStore<{ waiting: readonly string[] }>(() => ({ waiting: [] }));

  async function pull(): Promise<void> {
    try {
      const { links } = await host.call('deep_link_take', {});
      if (links.length > 0) store.setState(({ waiting }) => ({ waiting: [...waiting, ...links] }));
    } catch {
      // That the engine is gone is shown by the parts that call it.
    }
  }

  events.subscribe('deepLinks', () => void pull());
  return {
    ...store,
    pull,
    next: () => {
      const [next, ...rest] = store.getState().waiting;
      if (next !== undefined) store.setState({ waiting: rest });
      return next;
    },
  };
}
