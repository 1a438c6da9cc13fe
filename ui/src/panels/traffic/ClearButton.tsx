import { Button, Group, Popover, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { CommandError, ServerId } from '../../contract/generated';
import { useHost } from '../../model/workspace/context';
import { commandError } from '../../model/store/errors';
import { formatCount } from '../../model/text/format';
import { type TrafficView, useRowCount } from '../../model/traffic/useTrafficView';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import { IconButton } from '../../widgets/controls/IconButton';

/** So many records go without a question. */
const ASK_ABOVE = 500;

interface ClearButtonProps {
  /** Only of this server; all if none. */
  serverId: ServerId | null;
  serverName: string | undefined;
  /** What is shown. */
  view: TrafficView;
  /** Whether there may be more than are shown. */
  isFiltered: boolean;
}

/** Removes records from the log, asking first when they are many or not all seen. */
export function ClearButton({ serverId, serverName, view, isFiltered }: ClearButtonProps) {
  const host = useHost();
  const [asking, setAsking] = useState(false);
  const [error, setError] = useState<CommandError | null>(null);
  const whose = serverId === null ? 'all servers' : (serverName ?? serverId);

  async function clear(): Promise<void> {
    try {
      await host.call('traffic_clear', { serverId });
      setAsking(false);
    } catch (thrown) {
      setError(commandError(thrown));
      setAsking(true);
    }
  }

  return (
    <Popover opened={asking} onChange={setAsking} position="top-end" width={300} trapFocus withArrow>
      <Popover.Target>
        <span>
          <IconButton
            icon={IconTrash}
            label={`Clear the records of ${whose}`}
            onClick={() => {
              setError(null);
              if (view.log.total > ASK_ABOVE || isFiltered) setAsking(true);
              else void clear();
            }}
          />
        </span>
      </Popover.Target>
      <Popover.Dropdown>
        {error === null ? (
          <Text size="sm">
            {isFiltered ? (
              `This clears every record of ${whose}, also those that the filter hides.`
            ) : (
              <>
                This clears <Shown view={view} /> of {whose}.
              </>
            )}{' '}
            They cannot be brought back.
          </Text>
        ) : (
          <CommandAlert error={error} />
        )}
        <Group gap="xs" mt="sm" justify="flex-end">
          <Button variant="default" onClick={() => setAsking(false)}>
            Keep
          </Button>
          <Button color="red" onClick={() => void clear()} data-autofocus>
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
