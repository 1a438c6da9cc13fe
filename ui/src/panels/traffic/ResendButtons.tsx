import { Menu } from '@mantine/core';
import { IconChevronDown, IconPencil, IconRepeat } from '@tabler/icons-react';
import { useState } from 'react';
import type { CommandError, ServerId, TrafficRow } from '../../contract/generated';
import { fullName } from '../../model/connection/serverName';
import {
  callsTool,
  changedReason,
  emptyComposerDraft,
  heldReason,
  maskedReason,
} from '../../model/exchange/composer';
import { untilListed } from '../../model/lists/untilListed';
import { untilReady } from '../../model/connection/untilReady';
import { commandError } from '../../model/store/errors';
import { useActions } from '../../model/workspace/actions';
import { useModel, useServerPart, useServers } from '../../model/workspace/context';
import { IconButton } from '../../widgets/controls/IconButton';

interface ResendButtonsProps {
  row: TrafficRow;
  onError: (error: CommandError | null) => void;
}

/** The kinds of records that can be sent again, or edited first. */
const MESSAGES: ReadonlySet<string> = new Set(['request', 'notification', 'response', 'invalid', 'batch']);

/** Whether a record is a message that was sent to a server. */
export function canResend(row: TrafficRow): boolean {
  return row.direction === 'clientToServer' && MESSAGES.has(row.kind);
}

/** What is done with a recorded message: it is written into the composer, or sent at once, if need be on a new connection. */
type Resend = { type: 'edit'; into?: ServerId } | { type: 'send'; reconnect?: boolean };

/** Sends the draft with a recorded message, if need be on a new connection; or holds it, with the reason. */
function useSendAgain(): (serverId: ServerId, reconnect: boolean) => Promise<void> {
  const { composer, servers, tools, workspace } = useModel();
  const actions = useActions();
  const draftOf = (serverId: ServerId) => composer.getState()[serverId] ?? emptyComposerDraft;
  const hold = (serverId: ServerId, held: string): void => {
    composer.change(serverId, { held });
    workspace.setState({ focusComposerOf: serverId });
  };
  /** The tools of the server as it is connected now; null if they cannot be listed. */
  const listTools = async (serverId: ServerId) => {
    const items = servers.getState().items ?? [];
    const connectionId = items.find(({ id }) => id === serverId)?.connection.connectionId ?? null;
    return connectionId === null ? null : untilListed(tools, serverId, connectionId);
  };
  return async (serverId, reconnect) => {
    const draft = draftOf(serverId);
    const masked = maskedReason(draft);
    if (masked !== null) {
      hold(serverId, masked);
      return;
    }
    if (reconnect) {
      await actions.restart(serverId);
      if (!(await untilReady(servers, serverId))) return;
    }
    const listed = callsTool(draft) ? await listTools(serverId) : null;
    // Another message may have taken its place meanwhile, and the user be elsewhere.
    const changed = changedReason(draft, draftOf(serverId), reconnect ? 'reconnect' : 'tools');
    const held = heldReason(draft, listed);
    if (changed !== null) composer.change(serverId, { held: changed });
    else if (held !== null) hold(serverId, held);
    else await composer.send(serverId);
  };
}

/** Sends a recorded message again, as it is or after changes in the composer. */
export function ResendButtons({ row, onError }: ResendButtonsProps) {
  const { composer, ui, workspace } = useModel();
  const actions = useActions();
  const send = useSendAgain();
  const state = useServerPart(row.serverId, (server) => server?.connection.state ?? null);
  const isReady = state === 'ready';
  const [busy, setBusy] = useState(false);

  const run = async (resend: Resend): Promise<void> => {
    onError(null);
    setBusy(true);
    try {
      const serverId = await composer.load(row.seq, resend.type === 'edit' ? resend.into : undefined);
      ui.setState({ exploreTab: 'composer' });
      actions.show(serverId, 'explore');
      if (resend.type === 'edit') workspace.setState({ focusComposerOf: serverId });
      else await send(serverId, resend.reconnect === true);
    } catch (thrown) {
      onError(commandError(thrown));
    }
    setBusy(false);
  };
  return (
    <>
      <IconButton
        icon={IconRepeat}
        label={isReady ? 'Send again' : 'Send again: the server is not connected'}
        disabled={!isReady || busy}
        onClick={() => void run({ type: 'send' })}
      />
      <IconButton
        icon={IconPencil}
        label={state === null ? 'Edit and send again: the server was removed' : 'Edit and send again'}
        disabled={state === null || busy}
        onClick={() => void run({ type: 'edit' })}
      />
      <MoreWays row={row} busy={busy} onResend={(resend) => void run(resend)} />
    </>
  );
}

interface MoreWaysProps {
  row: TrafficRow;
  busy: boolean;
  onResend: (resend: Resend) => void;
}

/** Sending again on a new connection, and taking the message to another server. */
function MoreWays({ row, busy, onResend }: MoreWaysProps) {
  const items = useServers((state) => state.items) ?? [];
  const others = items.filter(({ id }) => id !== row.serverId);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton icon={IconChevronDown} label="More ways to send again" disabled={busy} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          disabled={!items.some(({ id }) => id === row.serverId)}
          onClick={() => onResend({ type: 'send', reconnect: true })}
        >
          Reconnect, then send again
        </Menu.Item>
        {others.length > 0 && <Menu.Label>Edit for another server</Menu.Label>}
        {others.map((other) => (
          <Menu.Item key={other.id} onClick={() => onResend({ type: 'edit', into: other.id })}>
            {fullName(other)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
