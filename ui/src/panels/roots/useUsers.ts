import type { RootSetItem } from '../../contract/generated';
import { fullName } from '../../model/connection/serverName';
import { useServers } from '../../model/workspace/context';

/** The names of the servers that use a set, in a list; empty if none does. */
export function useUsers({ usedBy }: Pick<RootSetItem, 'usedBy'>): string {
  return useServers(({ items }) =>
    (items ?? [])
      .filter(({ id }) => usedBy.includes(id))
      .map(fullName)
      .join(', '),
  );
}
