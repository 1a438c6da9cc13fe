import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { PlainSecretItem, ServerId } from '../../contract/generated';
import { useModel } from '../../model/workspace/context';
import { formatCount } from '../../model/text/format';
import { keptWords, placeWord } from '../../model/vault/vault';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import classes from './vault.module.css';

/** Plaintext secrets in the settings; those of the chosen servers are moved into the vault. */
export function PlainSecretsDialog({ onClose }: { onClose: () => void }) {
  const { vault, workspace } = useModel();
  const plain = useStore(vault, (state) => state.plain);
  const state = useStore(vault, ({ known }) => known?.state);
  const error = useStore(vault, (vaultState) => vaultState.error);
  const busy = useStore(vault, (vaultState) => vaultState.busy);
  const servers = byServer(plain);
  const [left, setLeft] = useState<ReadonlySet<ServerId>>(new Set());
  const chosen = servers.filter(({ serverId }) => !left.has(serverId));
  const count = chosen.reduce((sum, { items }) => sum + items.length, 0);

  function toggle(serverId: ServerId): void {
    const next = new Set(left);
    if (!next.delete(serverId)) next.add(serverId);
    setLeft(next);
  }

  async function move(): Promise<void> {
    if (await vault.move(chosen.map(({ serverId }) => serverId))) onClose();
  }

  const close = (): void => {
    vault.dismissError();
    onClose();
  };

  return (
    <Modal opened onClose={close} title="Plaintext secrets in the settings" size={560} stackId="plainSecrets">
      <Stack gap="md">
        <Text>
          These secrets are stored as plaintext in servers.json. After the move, they are stored{' '}
          {keptWords(state)}, and servers.json contains only a reference.
        </Text>
        <Stack gap="sm" role="group" aria-label="Servers" mah={320} style={{ overflow: 'auto' }}>
          {servers.map(({ serverId, name, items }) => (
            <div key={serverId}>
              <Checkbox label={name} checked={!left.has(serverId)} onChange={() => toggle(serverId)} />
              <ul className={classes.secrets}>
                {items.map(({ place, name: what }) => (
                  <li key={`${place} ${what}`}>
                    {placeWord(place)} <span className="pb-mono">{what}</span>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </Stack>
        {error !== null && (
          <CommandAlert error={error} onClose={() => vault.dismissError()}>
            {error.code === 'vaultNeeded' ? (
              <Button variant="default" onClick={() => workspace.setState({ vaultOpen: true })}>
                Open the vault…
              </Button>
            ) : undefined}
          </CommandAlert>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="subtle" color="gray" onClick={close}>
            Cancel
          </Button>
          <Button loading={busy} disabled={count === 0} onClick={() => void move()} data-autofocus>
            {count === 0 ? 'Move' : `Move ${formatCount(count, 'secret')} to the vault`}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface OfServer {
  serverId: ServerId;
  name: string;
  items: PlainSecretItem[];
}

function byServer(plain: readonly PlainSecretItem[]): OfServer[] {
  const servers = new Map<ServerId, OfServer>();
  for (const item of plain) {
    if (item.serverId === null) continue;
    const known = servers.get(item.serverId);
    if (known !== undefined) known.items.push(item);
    else servers.set(item.serverId, { serverId: item.serverId, name: item.serverName, items: [item] });
  }
  return [...servers.values()];
}
