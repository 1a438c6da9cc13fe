import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { CommandError, ServerItem } from '../../contract/generated/contract';
import { isOpen } from '../../model/connection';
import { useModel } from '../../model/context';
import { commandError } from '../../model/errors';
import { CommandAlert } from '../../widgets/CommandAlert';

/** Asks before a server is removed. */
export function RemoveDialog({ server, onClose }: { server: ServerItem; onClose: () => void }) {
  const { host, servers, ui } = useModel();
  const [error, setError] = useState<CommandError | null>(null);

  async function remove(): Promise<void> {
    try {
      await host.call('server_remove', { serverId: server.id });
      const items = servers.getState().items ?? [];
      const at = items.findIndex((item) => item.id === server.id);
      const next = items[at + 1] ?? items[at - 1];
      ui.setState({ selectedServer: next?.id ?? null });
      onClose();
      await servers.refresh();
    } catch (thrown) {
      setError(commandError(thrown));
    }
  }

  return (
    <Modal opened onClose={onClose} title={`Remove ${server.draft.name}?`} size={420}>
      <Stack gap="md">
        <Text>
          {isOpen(server.connection.state) && 'It is connected and will be stopped. '}
          Its settings go; its records stay in the traffic log until that is cleared.
        </Text>
        {error !== null && <CommandAlert error={error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep
          </Button>
          <Button color="red" onClick={() => void remove()}>
            Remove
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
