import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { ServerId, ServerItem } from '../../../contract/generated';
import { useModel, useServers } from '../../workspace/context';
import { type ProblemLine, countsOf, linesOf } from './failures';
import type { Weight } from './weight';

/** A server with its problems. */
export interface ServerLines {
  server: ServerItem;
  lines: ProblemLine[];
  /** Whether some of its records have yet to be read. */
  reading: boolean;
  /** Records with violations that are not read. */
  unread: number;
}

/** The servers that have problems, in the user's order. */
export function useServerLines(): ServerLines[] {
  const { problems } = useModel();
  const byServer = useStore(problems, (state) => state.byServer);
  const items = useServers((state) => state.items);
  return useMemo(
    () =>
      (items ?? []).flatMap((server) => {
        const known = byServer[server.id];
        const lines = linesOf(server, known);
        const { reading = false, unread = 0 } = known ?? {};
        return lines.length === 0 ? [] : [{ server, lines, reading, unread }];
      }),
    [items, byServer],
  );
}

/** How many different problems of each weight all servers have together. */
export function useProblemCounts(): Record<Weight, number> {
  const { problems } = useModel();
  const byServer = useStore(problems, (state) => state.byServer);
  return useServers(
    useShallow(({ items }) => countsOf((items ?? []).flatMap((item) => linesOf(item, byServer[item.id])))),
  );
}

/** How many different errors and warnings the messages of a server's connection have: what matters to this user. */
export function useViolationCounts(serverId: ServerId): Record<Weight, number> {
  return useStore(
    useModel().problems,
    useShallow(({ byServer }) => countsOf(byServer[serverId]?.problems ?? [])),
  );
}
