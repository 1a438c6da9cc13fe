import type { ServerId } from '../../../contract/generated';
import { useModel, useUi } from '../../../model/workspace/context';
import { LogLevel } from './LogLevel';
import { LogView } from './LogView';
import { NoLogs } from './NoLogs';

/** What one server logs: its log messages and the lines it writes to stderr, in one order of time. */
export function LogsPanel({ serverId }: { serverId: ServerId }) {
  const { ui } = useModel();
  const filter = useUi((state) => state.logs);
  return (
    <LogView
      id={`logs ${serverId}`}
      label="Logs"
      serverId={serverId}
      filter={filter}
      onFilter={(part) => ui.setState(({ logs }) => ({ logs: { ...logs, ...part } }))}
      trail={<LogLevel serverId={serverId} />}
      empty={<NoLogs serverId={serverId} source={filter.source} />}
    />
  );
}
