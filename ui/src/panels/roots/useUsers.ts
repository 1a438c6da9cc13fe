import type { RootSetItem } from '../../contract/generated';
import { useServers } from '../../model/workspace/context';

/** The names of the servers that use a set, in a list; empty if none does. */
export function useUsers({ usedBy }: Pick<RootSetItem, 'usedBy'>): string {
  return useServers(({ items }) =>
    usedBy.flatMap((id) => items?.find((server) => server.id === id)?.draft.name ?? []).join(', '),
  );
}
