import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { serversOf } from '../../../model/servers/groups/railRows';
import { formatCount } from '../../../model/text/format';
import { useModel, useServers } from '../../../model/workspace/context';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { useSubmission } from '../../../widgets/failure/useSubmission';

/** Asks before a group is removed. */
export function RemoveGroupDialog({ group, onClose }: { group: string; onClose: () => void }) {
  const { host, servers, ui } = useModel();
  const count = useServers(({ items }) => serversOf(items ?? [], group).length);
  const { busy, error, submit } = useSubmission();

  async function remove(): Promise<void> {
    await host.call('group_remove', { group });
    ui.setState(({ collapsedGroups }) => ({
      collapsedGroups: collapsedGroups.filter((other) => other !== group),
    }));
    await servers.refresh();
    onClose();
  }

  return (
    <Modal opened onClose={onClose} title={`Remove group ${group}?`} size={420}>
      <Stack gap="md">
        <Text>
          {count === 0
            ? 'The group has no servers.'
            : `Its ${formatCount(count, 'server stays', 'servers stay')} configured and connected as now.`}
        </Text>
        {error !== null && <CommandAlert error={error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={busy} onClick={() => void submit(remove)}>
            Remove group
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
