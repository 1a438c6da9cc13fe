import { Button, Group } from '@mantine/core';
import type { useAdding } from '../../../model/servers/adding/useAdding';
import { useModel } from '../../../model/workspace/context';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { CancelButton } from '../../../widgets/layout/GuardedModal';
import classes from './BundleDialog.module.css';

interface ReviewFooterProps {
  adding: ReturnType<typeof useAdding>;
  /** What has not happened yet. */
  hint: string;
  /** It cannot be added here. */
  isBlocked: boolean;
  /** Checks what was entered, then adds; the other button submits the form around it. */
  onAdd: () => void;
}

/** The end of a review: why adding failed, and the buttons. */
export function ReviewFooter({ adding, hint, isBlocked, onAdd }: ReviewFooterProps) {
  const { workspace } = useModel();
  const { error } = adding;
  return (
    <>
      {error !== null && (
        <CommandAlert error={error} onClose={adding.dismissError}>
          {error.code === 'vaultNeeded' ? (
            <>
              <Button variant="default" onClick={() => workspace.setState({ vaultOpen: true })}>
                Open the vault…
              </Button>
              <Button variant="subtle" color="gray" onClick={() => void adding.run(false, true)}>
                Add with plaintext secrets
              </Button>
            </>
          ) : undefined}
        </CommandAlert>
      )}
      <Group justify="flex-end" gap="xs" className={classes.foot}>
        <span className={classes.hint}>{hint}</span>
        <CancelButton />
        <Button variant="default" disabled={isBlocked || adding.adding} onClick={onAdd}>
          Add
        </Button>
        <Button type="submit" disabled={isBlocked} loading={adding.adding}>
          Add and connect
        </Button>
      </Group>
    </>
  );
}
