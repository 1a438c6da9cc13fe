import { useEffect, useState } from 'react';
import type { ListItemGetResponse, ListKind, ServerId } from '../../../contract/generated';
import { usePulled } from '../../../model/lists/usePulled';
import { useHost } from '../../../model/workspace/context';

/**
 * The definition of a row in full: rows have only the beginning of the description. Null until it is there, and if it cannot be
 * had; the row then has enough to work with.
 */
export function useDefinition(
  serverId: ServerId,
  list: ListKind,
  item: { index: number } | undefined,
): ListItemGetResponse | null {
  const host = useHost();
  const { rows } = usePulled(serverId, list);
  const [found, setFound] = useState<{ item: object; definition: ListItemGetResponse } | null>(null);
  useEffect(() => {
    if (item === undefined) return undefined;
    let wanted = true;
    host.call('list_item_get', { serverId, list, index: item.index }).then(
      (definition) => wanted && setFound({ item, definition }),
      () => undefined,
    );
    return () => {
      wanted = false;
    };
    // Of another connection, it is another definition.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [host, serverId, list, item, rows]);
  return found !== null && found.item === item ? found.definition : null;
}
