import { IconTerminal2, IconTool, IconWorld } from '@tabler/icons-react';
import { useStore } from 'zustand';
import type { ServerId } from '../../contract/generated';
import { addressBeside } from '../../model/connection/serverName';
import { useViolationCounts } from '../../model/connection/problems/useProblems';
import { formatCount } from '../../model/text/format';
import { useModel, useServerPart } from '../../model/workspace/context';
import { WeightGlyph } from '../../widgets/status/WeightGlyph';
import classes from './Rail.module.css';

/** How a server is reached, in a word. */
export function useTransportWord(serverId: ServerId): 'stdio' | 'HTTP' {
  return useServerPart(serverId, (server) => (server?.draft.transport.type === 'http' ? 'HTTP' : 'stdio'));
}

/** How many tools a connected server has; null while they are not listed. */
export function useToolCount(serverId: ServerId): string | null {
  const isReady = useServerPart(serverId, (server) => server?.connection.state === 'ready');
  const { tools } = useModel();
  const count = useStore(tools, ({ [serverId]: list }) =>
    list !== undefined && list.known && list.supported
      ? `${formatCount(list.total)}${list.hasMore ? '+' : ''}`
      : null,
  );
  return isReady ? count : null;
}

/** Part of the name of the row, which a screen reader reads. */
export function TransportGlyph({ serverId }: { serverId: ServerId }) {
  const word = useTransportWord(serverId);
  const Glyph = word === 'HTTP' ? IconWorld : IconTerminal2;
  return (
    <span
      className={classes.transport}
      data-tip={word === 'HTTP' ? 'HTTP: a server at an address' : 'stdio: a program that Patchbay starts'}
      data-tip-side="right"
    >
      <Glyph size={13} aria-hidden />
    </span>
  );
}

export function Name({ serverId, name }: { serverId: ServerId; name: string }) {
  const address = useAddress(serverId);
  return (
    <span
      className={`${classes.name} pb-ellipsis`}
      data-tip={address === null ? undefined : `${name}, as it calls itself, at ${address}`}
      data-tip-side="right"
    >
      {name}
    </span>
  );
}

function useAddress(serverId: ServerId): string | null {
  return useServerPart(serverId, (server) => (server === undefined ? null : addressBeside(server)));
}

/** The address of a server that is shown by the name it gives itself. */
export function Address({ serverId }: { serverId: ServerId }) {
  const address = useAddress(serverId);
  if (address === null) return null;
  return <span className={`${classes.address} pb-ellipsis`}>{address}</span>;
}

export function ToolCount({ serverId }: { serverId: ServerId }) {
  const count = useToolCount(serverId);
  if (count === null) return null;
  return (
    <span
      className={`${classes.count} ${classes.tools}`}
      data-tip={count === '1' ? '1 tool' : `${count} tools`}
    >
      <IconTool size={12} aria-hidden />
      {count}
    </span>
  );
}

/** The violations that matter here, with the way to them. */
export function ViolationButton({ serverId }: { serverId: ServerId }) {
  const { ui } = useModel();
  const { error, warning } = useViolationCounts(serverId);
  const count = error + warning;
  if (count === 0) return null;
  return (
    <button
      type="button"
      tabIndex={-1}
      className={`${classes.count} ${classes.problems}`}
      data-weight={error > 0 ? 'error' : undefined}
      data-tip={`Show ${formatCount(count, 'problem')}`}
      onClick={() =>
        ui.setState(({ problems }) => ({
          selectedServer: serverId,
          dockOpen: true,
          dockTab: 'problems',
          problems: { ...problems, oneServer: true, hidden: [] },
        }))
      }
    >
      <WeightGlyph weight={error > 0 ? 'error' : 'warning'} size={12} />
      {formatCount(count)}
    </button>
  );
}
