import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import type {
  VaultGetResponse,
  VaultKept,
  VaultOffer,
  VaultState,
  VaultStored,
} from '../../contract/generated';
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

function titleOf(known: VaultGetResponse | undefined): string {
  if (known === undefined) return 'Vault';
  return TITLES[isLocked(known) ? 'locked' : known.state.type];
}

/** Whether it needs its passphrase, whether or not that was noticed already. */
function isLocked({ state, stored }: VaultGetResponse): boolean {
  return state.type === 'locked' || (state.type === 'unopened' && stored === 'passphrase');
}

/** The vault: its state, unlocking it, and choosing where its key is stored. Opens above the dialog that needs it. */
export function VaultDialog() {
  const { vault, workspace } = useModel();
  const opened = useWorkspace(({ vaultOpen }) => vaultOpen);
  const title = useStore(vault, ({ known }) => titleOf(known));
  const close = (): void => {
    vault.dismissError();
    workspace.setState({ vaultOpen: false });
  };
  return (
    <Modal opened={opened} onClose={close} title={title} size={520} stackId="vault">
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
      <State known={known} onClose={onClose} />
      {error !== null && <CommandAlert error={error} onClose={() => vault.dismissError()} />}
    </Stack>
  );
}

interface StateProps {
  known: VaultGetResponse;
  onClose: () => void;
}

function State({ known, onClose }: StateProps) {
  const { state, stored } = known;
  const locked = <Locked file={known.file} onClose={onClose} />;
  switch (state.type) {
    case 'unopened':
      if (isLocked(known)) return locked;
      return (
        <>
          <Text>
            The vault stores server secrets, such as tokens and keys, in encrypted form. It has not been
            needed yet, so Patchbay has not accessed the system keychain, which{' '}
            {stored === 'keychain' ? 'stores' : 'can store'} its key.
          </Text>
          <VaultChoices
            // Another key can be chosen for a vault that exists when it is open.
            offers={stored === undefined ? ['keychain', 'passphrase', 'memory'] : ['keychain', 'memory']}
            onDone={onClose}
            takesFocus
          />
        </>
      );
    case 'opening':
      return <Text role="status">Waiting for the system keychain. It may be showing its own prompt.</Text>;
    case 'ready':
      return <Ready known={known} kept={state.kept} onClose={onClose} />;
    case 'locked':
      return locked;
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

/** What can be done about a vault in the file while secrets are in memory only. */
const BESIDE: Record<VaultStored, VaultOffer[]> = {
  keychain: ['keychain', 'setAside'],
  passphrase: ['setAside'],
  unreadable: ['setAside'],
};

interface ReadyProps extends StateProps {
  kept: VaultKept;
}

function Ready({ known, kept, onClose }: ReadyProps) {
  const { stored, file, count } = known;
  const beside = kept === 'memory' ? stored : undefined;
  const onChosen = (choice: VaultOffer): void => {
    // Where the secrets go then is the next choice.
    if (choice !== 'setAside') onClose();
  };
  return (
    <>
      <Text>
        {KEPT[kept]}
        {beside !== undefined && ' The file of the vault is not used until it is opened.'}
      </Text>
      <Facts names={84}>
        <Fact name="Contents">{formatCount(count, 'secret')}</Fact>
        {(kept !== 'memory' || beside !== undefined) && (
          <Fact name="File" mono>
            {file}
          </Fact>
        )}
      </Facts>
      {beside === 'passphrase' && (
        <VaultUnlock onDone={onClose} description="The secrets that are in memory are then stored in it." />
      )}
      <details className={classes.change}>
        <summary>{beside === 'passphrase' ? 'Forgot the passphrase?' : 'Store the key elsewhere'}</summary>
        <VaultChoices
          offers={beside === undefined ? CHANGES[kept] : BESIDE[beside]}
          onDone={onClose}
          onChosen={onChosen}
          isPart
        />
      </details>
      {beside !== 'passphrase' && (
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Close
          </Button>
        </Group>
      )}
    </>
  );
}

/** A vault that only its passphrase opens. */
function Locked({ file, onClose }: { file: string; onClose: () => void }) {
  return (
    <>
      <VaultUnlock onDone={onClose} />
      <details className={classes.change}>
        <summary>Forgot the passphrase?</summary>
        <Text mb="sm">It cannot be recovered, and nothing else opens this vault.</Text>
        <Facts names={84}>
          <Fact name="File" mono>
            {file}
          </Fact>
        </Facts>
        <VaultChoices offers={['memory', 'setAside']} onDone={onClose} isPart />
      </details>
    </>
  );
}
