import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { VaultKept, VaultOffer, VaultState } from '../../contract/generated';
import { useModel, useWorkspace } from '../../model/workspace/context';
import { formatCount } from '../../model/text/format';
import { Waiting } from '../../widgets/status/Waiting';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import { VaultChoices } from './VaultChoices';
import { VaultUnlock } from './VaultUnlock';
import { Fact, Facts } from '../../widgets/facts/Facts';
import classes from './vault.module.css';

const TITLES: Record<VaultState['type'], string> = {
  unopened: 'Vault',
  opening: 'Opening the vault',
  ready: 'Vault',
  locked: 'Unlock the vault',
  choice: 'Where should secrets be stored?',
  broken: 'The vault cannot be read',
};

/** The vault: its state, unlocking it, and choosing where its key is stored. Opens above the dialog that needs it. */
export function VaultDialog() {
  const { vault, workspace } = useModel();
  const opened = useWorkspace(({ vaultOpen }) => vaultOpen);
  const type = useStore(vault, ({ known }) => known?.state.type);
  const close = (): void => {
    vault.dismissError();
    workspace.setState({ vaultOpen: false });
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={type === undefined ? 'Vault' : TITLES[type]}
      size={520}
      stackId="vault"
    >
      <Content onClose={close} />
    </Modal>
  );
}

function Content({ onClose }: { onClose: () => void }) {
  const { vault } = useModel();
  const known = useStore(vault, (state) => state.known);
  const error = useStore(vault, (state) => state.error);
  useEffect(() => void vault.refresh(), [vault]);
  if (known === undefined) return <Waiting text="Loading…" />;
  return (
    <Stack gap="md">
      <State state={known.state} count={known.count} file={known.file} onClose={onClose} />
      {error !== null && <CommandAlert error={error} onClose={() => vault.dismissError()} />}
    </Stack>
  );
}

interface StateProps {
  state: VaultState;
  count: number;
  file: string;
  onClose: () => void;
}

function State({ state, count, file, onClose }: StateProps) {
  switch (state.type) {
    case 'unopened':
      return (
        <>
          <Text>
            The vault stores server secrets, such as tokens and keys, in encrypted form. It has not been
            needed yet, so Patchbay has not accessed the system keychain, which stores its key.
          </Text>
          <VaultChoices offers={['keychain', 'passphrase', 'memory']} onDone={onClose} takesFocus />
        </>
      );
    case 'opening':
      return <Text role="status">Waiting for the system keychain. It may be showing its own prompt.</Text>;
    case 'ready':
      return <Ready kept={state.kept} count={count} file={file} onClose={onClose} />;
    case 'locked':
      return <VaultUnlock onDone={onClose} />;
    case 'choice':
      return (
        <>
          <Why cause={state.cause} next={state.next} />
          <VaultChoices offers={state.offers} onDone={onClose} takesFocus />
        </>
      );
    case 'broken':
      return (
        <>
          <Why cause={state.cause} next={state.next} file={state.file} />
          <VaultChoices offers={state.offers} onDone={onClose} takesFocus />
        </>
      );
  }
}

function Why({ cause, next, file }: { cause: string; next: string; file?: string }) {
  return (
    <Facts names={84} tone="warn">
      <Fact name="Cause">{cause}</Fact>
      {file !== undefined && (
        <Fact name="File" mono>
          {file}
        </Fact>
      )}
      <Fact name="What to do">{next}</Fact>
    </Facts>
  );
}

const KEPT: Record<VaultKept, string> = {
  keychain: 'Open. The key is in the system keychain.',
  passphrase: 'Open. Encrypted with your passphrase.',
  memory: 'In memory only: secrets are lost when Patchbay quits.',
};

/** How an open vault can be changed. Its secrets are moved over. */
const CHANGES: Record<VaultKept, VaultOffer[]> = {
  keychain: ['passphrase'],
  passphrase: ['keychain'],
  memory: ['keychain', 'passphrase'],
};

function Ready({
  kept,
  count,
  file,
  onClose,
}: {
  kept: VaultKept;
  count: number;
  file: string;
  onClose: () => void;
}) {
  return (
    <>
      <Text>{KEPT[kept]}</Text>
      <Facts names={84}>
        <Fact name="Contents">{formatCount(count, 'secret')}</Fact>
        {kept !== 'memory' && (
          <Fact name="File" mono>
            {file}
          </Fact>
        )}
      </Facts>
      <details className={classes.change}>
        <summary>Store the key elsewhere</summary>
        <VaultChoices offers={CHANGES[kept]} onDone={onClose} />
      </details>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          Close
        </Button>
      </Group>
    </>
  );
}
