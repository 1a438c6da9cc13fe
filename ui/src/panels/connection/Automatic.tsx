import { Button } from '@mantine/core';
import type { AutomaticItem, ServerId } from '../../contract/generated';
import { useRemaining } from '../../model/store/clock';
import { useActions } from '../../model/workspace/actions';
import { useModel } from '../../model/workspace/context';
import classes from './ConnectionPanel.module.css';

/** What Patchbay does to have the server connected without the user, and ending that. */
export function Automatic({ automatic, serverId }: { automatic: AutomaticItem; serverId: ServerId }) {
  const { workspace } = useModel();
  const actions = useActions();
  return (
    <div className={classes.automatic} role="group" aria-label="Automatic connection">
      <p>
        <Words automatic={automatic} />
      </p>
      {automatic.type === 'needsVault' && (
        <Button size="compact-sm" variant="default" onClick={() => workspace.setState({ vaultOpen: true })}>
          Open the vault…
        </Button>
      )}
      {(automatic.type === 'waiting' || automatic.type === 'needsVault') && (
        <Button size="compact-sm" variant="default" onClick={() => void actions.stopAutomatic(serverId)}>
          Stop
        </Button>
      )}
    </div>
  );
}

function Words({ automatic }: { automatic: AutomaticItem }) {
  switch (automatic.type) {
    case 'waiting':
      return (
        <>
          Connecting <Countdown atMs={automatic.atMs} /> (attempt {automatic.attempt} of {automatic.of})
        </>
      );
    case 'connecting':
      return `Connecting automatically (attempt ${automatic.attempt} of ${automatic.of})`;
    case 'needsVault':
      return 'Connects when the vault is unlocked.';
    case 'ended':
      return `Automatic connection stopped. ${automatic.because} ${automatic.next}`;
  }
}

/** Not for a screen reader, which would read every second. */
function Countdown({ atMs }: { atMs: number }) {
  const seconds = Math.ceil(useRemaining(atMs) / 1000);
  return <span aria-hidden>in {seconds} s</span>;
}
