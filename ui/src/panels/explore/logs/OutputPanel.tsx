import type { ReactNode } from 'react';
import { useModel, useServerName, useUi } from '../../../model/workspace/context';
import { outputOf } from '../../../model/workspace/workspace';
import { ScopeSwitch } from '../../../widgets/controls/ScopeSwitch';
import { EmptyState } from '../../../widgets/layout/EmptyState';
import { LogView } from './LogView';

/** What servers write to stderr, and, if chosen, their log messages; also of servers that are no longer connected. */
export function OutputPanel({ lead, trail }: { lead: ReactNode; trail: ReactNode }) {
  const { ui } = useModel();
  const saved = useUi((state) => state.output);
  const serverId = useUi((state) => state.selectedServer);
  const serverName = useServerName(serverId);
  const scoped = saved.oneServer && serverName !== undefined;
  const save = (part: Partial<typeof saved>): void =>
    ui.setState(({ output }) => ({ output: { ...output, ...part } }));
  return (
    <LogView
      id={scoped && serverId !== null ? outputOf(serverId) : 'output'}
      label="Server output"
      serverId={scoped ? serverId : null}
      filter={saved}
      onFilter={save}
      lead={
        <>
          {lead}
          <ScopeSwitch
            serverName={serverName}
            oneServer={saved.oneServer}
            onChange={(oneServer) => save({ oneServer })}
          />
        </>
      }
      trail={trail}
      empty={
        <EmptyState
          title="No output yet"
          text="Lines that servers write to stderr and log messages appear here as they are written."
        />
      }
    />
  );
}
