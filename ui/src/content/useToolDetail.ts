import { useEffect, useState } from 'react';
import type { ServerId, ToolGetResponse, ToolItem } from '../contract/generated';
import { useHost } from '../model/workspace/context';
import type { ToolRow } from '../model/tools/tools';
import { usePulled } from '../model/lists/usePulled';
import { type Loaded, showLoaded } from '../widgets/code/useBodyText';

/** A tool's definition. `rows` is its list: another list means loading the definition again. */
export function useToolDetail(
  serverId: ServerId,
  item: ToolItem | undefined,
  rows: ToolRow[],
): Loaded<ToolGetResponse> {
  const host = useHost();
  const { loading } = usePulled(serverId, 'tools');
  const [loaded, setLoaded] = useState<{
    serverId: ServerId;
    index: number;
    result: Loaded<ToolGetResponse>;
  } | null>(null);
  const index = item?.index;
  useEffect(() => {
    if (index === undefined) return undefined;
    const answer = host.call('tool_get', { serverId, index });
    return showLoaded(answer, (result) => setLoaded({ serverId, index, result }));
    // In another list the same position may hold another tool.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [host, serverId, index, rows]);
  if (loaded === null || loaded.serverId !== serverId || loaded.index !== index) return { state: 'loading' };
  // The tools of a new connection are being listed.
  return loading && loaded.result.state === 'failed' ? { state: 'loading' } : loaded.result;
}
