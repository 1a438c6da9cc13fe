import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useState } from 'react';
import { useStore } from 'zustand';
import { useModel } from '../../model/workspace/context';

interface VaultUnlockProps {
  onDone: () => void;
  /** What depends on it. */
  description?: string;
}

/** Unlocks the vault with its passphrase. */
export function VaultUnlock({
  onDone,
  description = 'Servers that need a secret cannot be reached until the vault is unlocked.',
}: VaultUnlockProps) {
  const { vault } = useModel();
  const busy = useStore(vault, (state) => state.busy);
  const error = useStore(vault, (state) => state.error);
  const [passphrase, setPassphrase] = useState('');

  async function unlock(): Promise<void> {
    if (passphrase === '') return;
    const typed = passphrase;
    // Held no longer than needed.
    setPassphrase('');
    if (await vault.unlock(typed)) onDone();
  }

  return (
    <form
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        void unlock();
      }}
    >
      <Stack gap="md">
        <PasswordInput
          size="xs"
          label="Passphrase"
          description={description}
          value={passphrase}
          error={error?.code === 'invalidParams'}
          data-autofocus
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show or mask the passphrase', tabIndex: 0 }}
          onChange={(event) => setPassphrase(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="subtle" color="gray" onClick={onDone}>
            Later
          </Button>
          <Button type="submit" loading={busy} disabled={passphrase === ''}>
            Unlock
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
