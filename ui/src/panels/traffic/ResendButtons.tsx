import { IconPencil, IconRepeat } from '@tabler/icons-react';
import { useState } from 'react';
import type { CommandError, TrafficRow } from '../../contract/generated';
import { emptyComposerDraft, heldReason } from '../../model/exchange/composer';
import { commandError } from '../../model/store/errors';
import { useActions } from '../../model/workspace/actions';
import { useModel, useServerPart } from '../../model/workspace/context';
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

/** Sends a recorded message again, as it is or after changes in the composer. */
export function ResendButtons({ row, onError }: ResendButtonsProps) {
  const { composer, tools, ui, workspace } = useModel();
  const actions = useActions();
  const isReady = useServerPart(row.serverId, (server) => server?.connection.state === 'ready');
  const [busy, setBusy] = useState(false);

  const run = async (then: 'edit' | 'send'): Promise<void> => {
    onError(null);
    setBusy(true);
    try {
      const serverId = await composer.load(row.seq);
      const draft = composer.getState()[serverId] ?? emptyComposerDraft;
      const held = heldReason(draft, tools.getState()[serverId]?.rows ?? []);
      if (then === 'send' && held === null) await composer.send(serverId);
      else workspace.setState({ focusComposerOf: serverId });
      if (then === 'send' && held !== null) composer.change(serverId, { held });
      ui.setState({ exploreTab: 'composer' });
      actions.show(serverId, 'explore');
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
        onClick={() => void run('send')}
      />
      <IconButton
        icon={IconPencil}
        label="Edit and send again"
        disabled={busy}
        onClick={() => void run('edit')}
      />
    </>
  );
}
