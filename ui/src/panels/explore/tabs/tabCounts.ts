import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { ServerId } from '../../../contract/generated';
import type { ServerList } from '../../../model/lists/serverList';
import { formatCount } from '../../../model/text/format';
import { useModel, useServerPart } from '../../../model/workspace/context';

/** The lists whose length is known once they were requested; the tab of a rare one is in view while it has any. */
const LISTS = ['tools', 'resources', 'prompts', 'skills'] as const;

/** What is counted beside a tab's title. */
export type TabCount = (typeof LISTS)[number] | 'openSubscriptions' | 'withheldRoots';

/** What a tab says besides its title. */
export interface CountOfTab {
  /** As it is shown: `17`, `500+`. */
  text: string;
  /** Whether it wants to be seen: then its tab is in view. */
  asks: boolean;
}

/** The numbers of a server's tabs; none where nothing is known, or nothing is open. */
export function useTabCounts(serverId: ServerId): Partial<Record<TabCount, CountOfTab>> {
  const { subscriptions, ...model } = useModel();
  const [tools, resources, prompts, skills] = [
    useStore(model.tools, (lists) => lengthOf(lists[serverId])),
    useStore(model.resources, (lists) => lengthOf(lists[serverId])),
    useStore(model.prompts, (lists) => lengthOf(lists[serverId])),
    useStore(model.skills, (lists) => lengthOf(lists[serverId])),
  ];
  const open = useStore(
    subscriptions,
    useShallow((state) => state[serverId]?.filter(({ ended }) => ended === null).length ?? 0),
  );
  const withheld = useServerPart(serverId, (server) => server?.withheldRoots ?? 0);
  const counts: Record<TabCount, CountOfTab | null> = {
    tools: beside(tools),
    resources: beside(resources),
    prompts: beside(prompts),
    skills: beside(skills),
    openSubscriptions: open > 0 ? { text: formatCount(open), asks: true } : null,
    withheldRoots: withheld > 0 ? { text: formatCount(withheld), asks: true } : null,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== null));
}

function beside(text: string | null): CountOfTab | null {
  return text === null ? null : { text, asks: false };
}

/** The length of a list that the server offers and that was requested. */
function lengthOf(list: ServerList<unknown> | undefined): string | null {
  if (list === undefined || !list.known || !list.supported || list.error !== null) return null;
  return `${formatCount(list.total)}${list.hasMore ? '+' : ''}`;
}
