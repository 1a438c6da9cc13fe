import { Alert, Button, Group } from '@mantine/core';
import { IconLock, IconLockOpen } from '@tabler/icons-react';
import { useStore } from 'zustand';
import type { VaultState } from '../../contract/generated';
import { useModel, useUi, useWorkspace } from '../../model/workspace/context';
import { formatCount } from '../../model/text/format';
import { needsUser, plainKey } from '../../model/vault/vault';
import { Steady } from '../../widgets/layout/Steady';

/** Notices about the vault: it waits for the user, or secrets are not in it. */
export function SecretNotices() {
  const { vault, ui, workspace } = useModel();
  const state = useStore(vault, ({ known }) => known?.state);
  const plain = useStore(vault, (all) => all.plain);
  const left = useUi(({ plainSecretsLeft }) => plainSecretsLeft);
  const isAsking = useWorkspace(({ vaultOpen }) => vaultOpen);
  const news = plain.filter((item) => !left.includes(plainKey(item)));
  const names = [...new Set(news.map(({ serverName }) => serverName))];

  return (
    <Steady>
      {needsUser(state) && !isAsking && (
        <Alert color="yellow" radius={0} icon={<IconLock size={16} />}>
          <Group justify="space-between" gap="xs" wrap="nowrap">
            <span>{inWords(state)}</span>
            <Button variant="default" onClick={() => workspace.setState({ vaultOpen: true })}>
              {state?.type === 'locked' ? 'Unlock…' : 'Open the vault…'}
            </Button>
          </Group>
        </Alert>
      )}
      {news.length > 0 && (
        <Alert
          color="yellow"
          radius={0}
          icon={<IconLockOpen size={16} />}
          withCloseButton
          closeButtonLabel="Keep as plaintext"
          onClose={() => ui.setState({ plainSecretsLeft: plain.map(plainKey) })}
        >
          <Group justify="space-between" gap="xs" wrap="nowrap">
            <span>
              {formatCount(news.length, 'secret')} of {names.slice(0, 3).join(', ')}
              {names.length > 3 && ` and ${formatCount(names.length - 3)} more`} stored as plaintext in
              servers.json.
            </span>
            <Button
              variant="default"
              onClick={() => workspace.setState({ dialog: { type: 'plainSecrets' } })}
            >
              Move to the vault…
            </Button>
          </Group>
        </Alert>
      )}
    </Steady>
  );
}

function inWords(state: VaultState | undefined): string {
  switch (state?.type) {
    case 'locked':
      return 'The vault is locked. Servers that need a secret cannot be reached until you unlock it.';
    case 'choice':
      return `Secrets cannot be stored: ${state.cause}`;
    case 'broken':
      return `The vault cannot be read: ${state.cause}`;
    case 'unopened':
    case 'opening':
    case 'ready':
    case undefined:
      return '';
  }
}
