import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { ListKind, ServerId } from '../../contract/generated';
import { useModel } from '../workspace/context';
import type { ServerListStore } from './serverList';

/** What changes when a list is pulled: equal items stay the same objects, even those of another connection. */
export interface Pulled {
  /** Another array for each pull. */
  rows: readonly unknown[] | undefined;
  loading: boolean;
}

export function usePulled(serverId: ServerId, list: ListKind): Pulled {
  const store = useModel()[list] as ServerListStore<unknown>;
  return useStore(
    store,
    useShallow((lists) => ({ rows: lists[serverId]?.rows, loading: lists[serverId]?.loading ?? false })),
  );
}
