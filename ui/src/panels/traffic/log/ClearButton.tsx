import { Button, Group, Popover, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { CommandError, ServerId } from '../../../contract/generated';
import { useHost, useModel } from '../../../model/workspace/context';
import { commandError } from '../../../model/store/errors';
import { formatCount } from '../../../model/text/format';
import { wireFilter } from '../../../model/traffic/filterText';
import { type TrafficView, useRowCount } from '../../../model/traffic/useTrafficView';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { IconButton } from '../../../widgets/controls/IconButton';

interface ClearButtonProps {
  /** Only this server's records; null: all. */
  serverId: ServerId | null;
  serverName: string | undefined;
  /** The view below the button. */
  view: TrafficView;
}

/** Clears the log, which is kept across restarts: always asks first, and says what would go. */
export function ClearButton({ serverId, serverName, view }: ClearButtonProps) {
  const host = useHost();
  const { problems } = useModel();
  const [asking, setAsking] = useState(false);
  const [error, setError] = useState<CommandError | null>(null);
  const whose = serverId === null ? 'all servers' : (serverName ?? serverId);

  async function clear(): Promise<void> {
    try {
      await host.call('traffic_clear', { serverId });
      problems.forget(serverId);
      setAsking(false);
    } catch (thrown) {
      setError(commandError(thrown));
      setAsking(true);
    }
  }

  return (
    <Popover
      opened={asking}
      onChange={setAsking}
      position="top-end"
      width={300}
      trapFocus
      returnFocus
      withArrow
    >
      <Popover.Target>
        <IconButton
          icon={IconTrash}
          label={`Clear the records of ${whose}`}
          onClick={() => {
            setError(null);
            setAsking(true);
          }}
        />
      </Popover.Target>
      <Popover.Dropdown>
        {error === null ? (
          <Text size="sm">
            {isAllShown(view, serverId) ? (
              <>
                This clears <Shown view={view} /> of {whose}.
              </>
            ) : (
              `This clears every record of ${whose}, including those that are not shown.`
            )}{' '}
            This cannot be undone.
          </Text>
        ) : (
          <CommandAlert error={error} />
        )}
        <Group gap="xs" mt="sm" justify="flex-end">
          <Button variant="default" onClick={() => setAsking(false)} data-autofocus>
            Cancel
          </Button>
          <Button color="red" onClick={() => void clear()}>
            Clear
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Whether the rows of the view are all records that would be cleared, so that their number is what goes. */
function isAllShown({ filter, ready, error, storeProblem }: TrafficView, serverId: ServerId | null): boolean {
  const isCurrent = ready && error === null && storeProblem === null;
  return isCurrent && filter === wireFilter({ text: '', serverId });
}

function Shown({ view }: { view: TrafficView }) {
  const { total, arrived } = useRowCount(view);
  return formatCount(total + arrived, 'record');
}
