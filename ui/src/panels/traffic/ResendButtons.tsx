import { Menu } from '@mantine/core';
import { IconChevronDown, IconPencil, IconRepeat } from '@tabler/icons-react';
import { useState } from 'react';
import type { CommandError, ServerId, TrafficRow } from '../../contract/generated';
import { changedReason, emptyComposerDraft, heldReason } from '../../model/exchange/composer';
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

/** Sends a recorded message again, as it is or after changes in the composer. */
export function ResendButtons({ row, onError }: ResendButtonsProps) {
  const { composer, servers, tools, ui, workspace } = useModel();
  const actions = useActions();
  const state = useServerPart(row.serverId, (server) => server?.connection.state ?? null);
  const isReady = state === 'ready';
  const [busy, setBusy] = useState(false);

  const send = async (serverId: ServerId, reconnect: boolean): Promise<void> => {
    const draftNow = () => composer.getState()[serverId] ?? emptyComposerDraft;
    const draft = draftNow();
    const held = heldReason(draft, tools.getState()[serverId]?.rows ?? []);
    if (held !== null) {
      composer.change(serverId, { held });
      workspace.setState({ focusComposerOf: serverId });
      return;
    }
    if (reconnect) {
      await actions.restart(serverId);
      if (!(await untilReady(servers, serverId))) return;
    }
    // Another message may have taken its place meanwhile.
    const changed = changedReason(draft, draftNow());
    if (changed === null) await composer.send(serverId);
    else composer.change(serverId, { held: changed });
  };
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
        {others.map(({ id, draft: { name } }) => (
          <Menu.Item key={id} onClick={() => onResend({ type: 'edit', into: id })}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
