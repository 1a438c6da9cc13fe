import { Loader } from '@mantine/core';
import { useStore } from 'zustand';
import type { ServerId } from '../../../contract/generated/contract';
import { useModel } from '../../../model/context';
import { deskKey } from '../../../model/toolCall';

/** Says in the list that a call of this tool is running. */
export function RunningDot({ serverId, tool }: { serverId: ServerId; tool: string }) {
  const { toolCalls } = useModel();
  const running = useStore(toolCalls, (desks) =>
    (desks[deskKey(serverId, tool)]?.calls ?? []).some(({ outcome }) => outcome === null),
  );
  return running ? <Loader size={12} aria-label="Running" /> : null;
}
