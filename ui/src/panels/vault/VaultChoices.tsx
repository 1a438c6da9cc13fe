import { Button, Group, PasswordInput, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { VaultChoice, VaultOffer } from '../../contract/generated';
import { useModel } from '../../model/workspace/context';

/** The shortest passphrase the engine takes. */
const SHORTEST = 8;

const OFFERS: Record<VaultOffer, { label: string; description: string }> = {
  keychain: {
    label: 'The system’s keychain keeps the key',
    description: 'It is asked now. It may show a window of its own.',
  },
  passphrase: {
    label: 'A passphrase of yours',
    description:
      'Secrets are encrypted with it on this machine. It is asked once after each start; nobody can restore it.',
  },
  memory: {
    label: 'In memory only',
    description: 'Nothing is written. When Patchbay ends, secrets are gone, and servers ask you again.',
  },
  setAside: {
    label: 'Set the file aside and begin a new vault',
    description: 'The file is renamed, not deleted. What it holds has to be entered again.',
  },
};

interface VaultChoicesProps {
  /** What can be chosen, the best first. */
  offers: readonly VaultOffer[];
  onDone: () => void;
}

/** How the vault goes on: one of a few ways. */
export function VaultChoices({ offers, onDone }: VaultChoicesProps) {
  const { vault } = useModel();
  const busy = useStore(vault, (state) => state.busy);
  const [wanted, setWanted] = useState<VaultOffer | undefined>();
  // What is offered may change while it is looked at: the keychain was asked meanwhile, and there is none.
  const chosen = wanted !== undefined && offers.includes(wanted) ? wanted : offers[0];
  const [passphrase, setPassphrase] = useState('');
  const [again, setAgain] = useState('');
  const isShort = passphrase !== '' && Array.from(passphrase).length < SHORTEST;
  const isOther = again !== '' && again !== passphrase;
  const isReady =
    chosen !== undefined &&
    (chosen !== 'passphrase' || (passphrase !== '' && !isShort && again === passphrase));

  async function choose(): Promise<void> {
    if (!isReady) return;
    const choice: VaultChoice =
      chosen === 'passphrase' ? { type: chosen, text: passphrase } : { type: chosen };
    // Not kept here longer than it is needed.
    setPassphrase('');
    setAgain('');
    if (await vault.choose(choice)) onDone();
  }

  return (
    <form
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        void choose();
      }}
    >
      <Stack gap="md">
        <Radio.Group
          aria-label="How the vault goes on"
          value={chosen ?? null}
          onChange={(value) => setWanted(value)}
        >
          <Stack gap="sm">
            {offers.map((offer) => (
              <Radio key={offer} value={offer} {...OFFERS[offer]} />
            ))}
          </Stack>
        </Radio.Group>
        {chosen === 'passphrase' && (
          <Group grow align="flex-start" gap="md">
            <PasswordInput
              size="xs"
              label="Passphrase"
              data-autofocus
              value={passphrase}
              error={isShort ? `At least ${SHORTEST} characters.` : undefined}
              autoComplete="new-password"
              visibilityToggleButtonProps={{ 'aria-label': 'Show or mask the passphrase', tabIndex: 0 }}
              onChange={(event) => setPassphrase(event.currentTarget.value)}
            />
            <PasswordInput
              size="xs"
              label="The same again"
              value={again}
              error={isOther ? 'It is another one.' : undefined}
              autoComplete="new-password"
              visibilityToggleButtonProps={{ 'aria-label': 'Show or mask the repetition', tabIndex: 0 }}
              onChange={(event) => setAgain(event.currentTarget.value)}
            />
          </Group>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="subtle" color="gray" onClick={onDone}>
            Later
          </Button>
          <Button type="submit" loading={busy} disabled={!isReady}>
            Go on
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
