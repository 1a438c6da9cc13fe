import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ServerItem } from '../../contract/generated';
import { fullName } from '../../model/connection/serverName';
import { isOpen } from '../../model/connection/connection';
import { useModel } from '../../model/workspace/context';
import { withoutServer } from '../../model/workspace/saved';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import { useSubmission } from '../../widgets/failure/useSubmission';

/** Asks before a server is removed. */
export function RemoveDialog({ server, onClose }: { server: ServerItem; onClose: () => void }) {
  const { host, servers, ui } = useModel();
  const { busy, error, submit } = useSubmission();

  async function remove(): Promise<void> {
    // Looked up first: the list may be without it as soon as it is removed.
    const items = servers.getState().items ?? [];
    const at = items.findIndex((item) => item.id === server.id);
    const next = items[at + 1] ?? items[at - 1];
    await host.call('server_remove', { serverId: server.id });
    ui.setState((state) => withoutServer(state, server.id));
    if (ui.getState().selectedServer === server.id) ui.setState({ selectedServer: next?.id ?? null });
    onClose();
    await servers.refresh();
  }

  return (
    <Modal opened onClose={onClose} title={`Remove ${fullName(server)}?`} size={420}>
      <Stack gap="md">
        <Text>
          {isOpen(server.connection.state) && 'It is connected and will be disconnected. '}
          Its settings, secrets, tokens, presets and saved requests
          {server.bundleFolder !== undefined && ', and the files of its bundle,'} are deleted. Its records
          stay in the traffic log until you clear it.
        </Text>
        {error !== null && <CommandAlert error={error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={busy} onClick={() => void submit(remove)}>
            Remove
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
