import { useCallback } from 'react';
import type { ChangedItem, ServerChangeDiffResponse, ServerId } from '../../../../contract/generated';
import { LISTS } from '../../../../model/connection/serverChanges';
import { useHost } from '../../../../model/workspace/context';
import { DefinitionDiff } from './DefinitionDiff';

interface ItemDetailProps {
  serverId: ServerId;
  item: ChangedItem;
}

/** How one listed item changed. Mounted again for another item. */
export function ItemDetail({ serverId, item }: ItemDetailProps) {
  const host = useHost();
  const { list, id } = item;
  const load = useCallback(
    () => host.call('server_change_diff', { serverId, list, id }),
    [host, serverId, list, id],
  );
  const notes = ({ notKept }: ServerChangeDiffResponse): string[] => [
    explanation(item),
    ...(notKept
      ? ['The list is too large to be kept whole: it is known that this differs, but not how.']
      : []),
  ];
  return <DefinitionDiff load={load} label="Change" name={id} notes={notes} />;
}

function explanation({ list, change }: ChangedItem): string {
  const { one } = LISTS[list];
  if (change === 'added') return `New ${one}.`;
  if (change === 'removed') return `The server no longer lists this ${one}.`;
  return `The definition of this ${one} has changed.`;
}
