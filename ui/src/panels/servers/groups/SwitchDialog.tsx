import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { fullName } from '../../../model/connection/serverName';
import { affected } from '../../../model/servers/groups/connectQueue';
import { formatCount } from '../../../model/text/format';
import { useActions } from '../../../model/workspace/actions';
import { useServers } from '../../../model/workspace/context';
import type { ServerSwitch } from '../../../model/workspace/workspace';
import classes from './groups.module.css';

/** Asks before servers with pending requests are disconnected. */
export function SwitchDialog({ change, onClose }: { change: ServerSwitch; onClose: () => void }) {
  const actions = useActions();
  const items = useServers((state) => state.items) ?? [];
  const { open, pending } = affected(items, change.disconnect);
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Disconnect ${formatCount(open.length, 'server', 'servers')}?`}
      size={440}
    >
      <Stack gap="md">
        {pending.length === 0 ? (
          <Text>No request is pending any more.</Text>
        ) : (
          <>
            <Text>Pending requests end without a response:</Text>
            <ul className={classes.list}>
              {pending.map((server) => (
                <li key={server.id}>
                  <bdi>{fullName(server)}</bdi>:{' '}
                  {formatCount(server.connection.pendingCount, 'request', 'requests')}
                </li>
              ))}
            </ul>
          </>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button
            color={pending.length > 0 ? 'red' : undefined}
            onClick={() => {
              onClose();
              actions.switchServers(change, true);
            }}
          >
            Disconnect
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
