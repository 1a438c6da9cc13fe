import { Alert, Button, Group } from '@mantine/core';
import { IconFileDiff, IconInfoCircle } from '@tabler/icons-react';
import { formatCount } from '../../model/text/format';
import { useModel, useWorkspace } from '../../model/workspace/context';
import { Steady } from '../../widgets/layout/Steady';

/** Configurations of other hosts that changed while they were watched, each with the way to its review. */
export function HostNotices() {
  const { ui, workspace } = useModel();
  const changes = useWorkspace(({ hostChanges }) => hostChanges);
  const error = useWorkspace(({ hostWatchError }) => hostWatchError);
  const dismiss = (path: string): void =>
    workspace.setState(({ hostChanges }) => {
      const { [path]: _, ...others } = hostChanges;
      return { hostChanges: others };
    });
  return (
    <Steady>
      {Object.values(changes).map(({ place: { host, path }, differing }) => (
        <Alert
          key={path}
          color="gray"
          radius={0}
          icon={<IconFileDiff size={16} />}
          withCloseButton
          closeButtonLabel="Dismiss"
          onClose={() => dismiss(path)}
        >
          <Group justify="space-between" gap="xs" wrap="nowrap">
            <span title={path}>
              {host}’s configuration changed: {formatCount(differing, 'server differs', 'servers differ')}
            </span>
            <Button
              variant="default"
              onClick={() => {
                dismiss(path);
                workspace.setState({
                  dialog: { type: 'importServers', source: { type: 'place', host, path } },
                });
              }}
            >
              Review…
            </Button>
          </Group>
        </Alert>
      ))}
      {error !== null && (
        <Alert
          color="yellow"
          radius={0}
          icon={<IconInfoCircle size={16} />}
          withCloseButton
          closeButtonLabel="Stop watching"
          onClose={() => ui.setState({ watchesHosts: false })}
        >
          {error.message}
        </Alert>
      )}
    </Steady>
  );
}
