import type { ConnectionId, ServerId } from '../../contract/generated';
import { type ListRow, type ServerList, type ServerListStore, emptyList } from './serverList';

/**
 * The rows of a list of a connection: as they have been pulled, or once they are. Null if they cannot be listed. A list that could not
 * be pulled before is pulled again.
 */
export async function untilListed<T>(
  store: ServerListStore<T>,
  serverId: ServerId,
  connectionId: ConnectionId,
): Promise<ListRow<T>[] | null> {
  const list = (): ServerList<T> => store.getState()[serverId] ?? emptyList();
  const isPulled = (): boolean => list().known && !list().loading;
  store.ensure(serverId, connectionId);
  if (isPulled() && list().error !== null) void store.load(serverId, false);
  if (!isPulled()) {
    await new Promise<void>((resolve) => {
      const unsubscribe = store.subscribe(() => {
        if (!isPulled()) return;
        unsubscribe();
        resolve();
      });
    });
  }
  const { rows, error } = list();
  return error === null ? rows : null;
}
