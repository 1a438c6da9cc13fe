import { Button, Group, PasswordInput, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { VaultChoice, VaultOffer } from '../../contract/generated';
import { useModel } from '../../model/workspace/context';

/** The shortest passphrase the engine takes. */
const SHORTEST = 8;

const OFFERS: Record<VaultOffer, { label: string; description: string }> = {
  keychain: {
    label: 'System keychain',
    description: 'The keychain stores the key. It may show its own prompt.',
  },
  passphrase: {
    label: 'Passphrase',
    description:
      'Secrets are encrypted with it on this machine. You enter it each time Patchbay starts. It cannot be recovered.',
  },
  memory: {
    label: 'In memory only',
    description:
      'Nothing is written to disk. Secrets are lost when Patchbay quits, and you must enter them again.',
  },
  setAside: {
    label: 'Start a new vault',
    description: 'The old file is renamed, not deleted. Its secrets have to be entered again.',
  },
};

interface VaultChoicesProps {
  /** The choices, the best first. */
  offers: readonly VaultOffer[];
  onDone: () => void;
  /** After a choice was applied; `onDone` if absent. */
  onChosen?: (choice: VaultOffer) => void;
  /** Whether the dialog opens with the focus in the choices. */
  takesFocus?: boolean;
  /** Whether the dialog has a button of its own that closes it. */
  isPart?: boolean;
}

/** Choices for storing the key of the vault. */
export function VaultChoices({
  offers,
  onDone,
  onChosen = onDone,
  takesFocus = false,
  isPart = false,
}: VaultChoicesProps) {
  const { vault } = useModel();
  const busy = useStore(vault, (state) => state.busy);
  const [wanted, setWanted] = useState<VaultOffer | undefined>();
  // The choices may change while shown: the keychain was queried meanwhile, and there is none.
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
    // Held no longer than needed.
    setPassphrase('');
    setAgain('');
    if (await vault.choose(choice)) onChosen(chosen);
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
          aria-label="Where the key is stored"
          value={chosen ?? null}
          onChange={(value) => setWanted(value)}
        >
          <Stack gap="sm">
            {offers.map((offer) => (
              <Radio
                key={offer}
                value={offer}
                data-autofocus={(takesFocus && offer === chosen) || undefined}
                {...OFFERS[offer]}
              />
            ))}
          </Stack>
        </Radio.Group>
        {chosen === 'passphrase' && (
          <Group grow align="flex-start" gap="md">
            <PasswordInput
              size="xs"
              label="New passphrase"
              value={passphrase}
              error={isShort ? `At least ${SHORTEST} characters.` : undefined}
              autoComplete="new-password"
              visibilityToggleButtonProps={{ 'aria-label': 'Show or mask the passphrase', tabIndex: 0 }}
              onChange={(event) => setPassphrase(event.currentTarget.value)}
            />
            <PasswordInput
              size="xs"
              label="Repeat passphrase"
              value={again}
              error={isOther ? 'The passphrases differ.' : undefined}
              autoComplete="new-password"
              visibilityToggleButtonProps={{
                'aria-label': 'Show or mask the repeated passphrase',
                tabIndex: 0,
              }}
              onChange={(event) => setAgain(event.currentTarget.value)}
            />
          </Group>
        )}
        <Group justify="flex-end" gap="xs">
          {!isPart && (
            <Button variant="subtle" color="gray" onClick={onDone}>
              Later
            </Button>
          )}
          <Button type="submit" loading={busy} disabled={!isReady}>
            Continue
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
