import { Modal, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { CommandError, ServerItem } from '../../contract/generated';
import { useHost } from '../../model/workspace/context';
import { commandError } from '../../model/store/errors';
import { CodeText } from '../../widgets/code/CodeView';
import { CommandAlert } from '../../widgets/failure/CommandAlert';

/** A server as JSON for other hosts. */
export function ExportDialog({ server, onClose }: { server: ServerItem; onClose: () => void }) {
  const host = useHost();
  const [json, setJson] = useState<string | null>(null);
  const [error, setError] = useState<CommandError | null>(null);

  useEffect(() => {
    host
      .call('server_export', { serverId: server.id })
      .then((response) => setJson(response.json))
      .catch((thrown: unknown) => setError(commandError(thrown)));
  }, [host, server.id]);

  return (
    <Modal opened onClose={onClose} title={`Export ${server.draft.name}`} size={640}>
      <Stack gap="sm">
        <Text c="dimmed">
          The format most hosts read. Secrets are not exported: fill in each {'${NAME}'}.
        </Text>
        {error !== null && <CommandAlert error={error} />}
        {json !== null && <CodeText text={json} language="json" label="mcpServers" />}
      </Stack>
    </Modal>
  );
}
