import { Button, Group, Modal, Paper, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { CommandError, ServerItem, TerminalCommandResponse } from '../../contract/generated';
import { fullName } from '../../model/connection/serverName';
import { useHost, useModel } from '../../model/workspace/context';
import { type Loaded, showLoaded } from '../../widgets/code/useBodyText';
import { CodeText } from '../../widgets/code/CodeView';
import { useCopy } from '../../widgets/controls/useCopy';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import { Failed, Waiting } from '../../widgets/status/Waiting';

interface TerminalDialogProps {
  server: ServerItem;
  error: CommandError;
  onClose: () => void;
}

/** No terminal could be opened: why, and the command to run in one. */
export function TerminalDialog({ server, error, onClose }: TerminalDialogProps) {
  const host = useHost();
  const { workspace } = useModel();
  const { words, copy } = useCopy('Copy command');
  const [loaded, setLoaded] = useState<Loaded<TerminalCommandResponse>>({ state: 'loading' });
  useEffect(
    () => showLoaded(host.call('terminal_command', { serverId: server.id }), setLoaded),
    [host, server.id],
  );
  const variables = loaded.state === 'ready' ? loaded.value.variables : [];
  return (
    <Modal opened onClose={onClose} title={`Open ${fullName(server)} in a terminal`} size="lg">
      <Stack gap="md">
        <CommandAlert error={error} />
        {loaded.state === 'loading' && <Waiting text="Loading…" />}
        {loaded.state === 'failed' && <Failed error={loaded.error} />}
        {loaded.state === 'ready' && (
          <>
            <Text>
              Run this in a terminal instead.
              {variables.length > 0 &&
                ` Secrets are not in it: set ${variables.map((name) => `$${name}`).join(', ')} first.`}
            </Text>
            <Paper withBorder>
              <CodeText text={loaded.value.command} language="plain" label="Command" numbered={false} />
            </Paper>
          </>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            Close
          </Button>
          <Button
            variant="default"
            onClick={() => workspace.setState({ dialog: { type: 'settings', search: 'terminal emulator' } })}
          >
            Settings…
          </Button>
          <Button
            disabled={loaded.state !== 'ready'}
            onClick={() => void copy(() => (loaded.state === 'ready' ? loaded.value.command : ''))}
          >
            {words}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
