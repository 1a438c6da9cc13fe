import { Button, Group, Popover, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { CommandError, ServerId } from '../../../contract/generated';
import { useHost, useModel } from '../../../model/workspace/context';
import { commandError } from '../../../model/store/errors';
import { formatCount } from '../../../model/text/format';
import { type TrafficView, useRowCount } from '../../../model/traffic/useTrafficView';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { IconButton } from '../../../widgets/controls/IconButton';

interface ClearButtonProps {
  /** Only this server's records; null: all. */
  serverId: ServerId | null;
  serverName: string | undefined;
  /** The view below the button. */
  view: TrafficView;
  /** Whether the filter hides some of the records that would be cleared. */
  isFiltered: boolean;
}

/** Clears the log, which is kept across restarts: always asks first, and says what would go. */
export function ClearButton({ serverId, serverName, view, isFiltered }: ClearButtonProps) {
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
    <Popover opened={asking} onChange={setAsking} position="top-end" width={300} trapFocus withArrow>
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
            {isFiltered ? (
              `This clears every record of ${whose}, including those hidden by the filter.`
            ) : (
              <>
                This clears <Shown view={view} /> of {whose}.
              </>
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

function Shown({ view }: { view: TrafficView }) {
  const { total, arrived } = useRowCount(view);
  return formatCount(total + arrived, 'record');
}
