import { List, Modal, Select, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { CommandError, HostFormat, ServerExportResponse, ServerItem } from '../../contract/generated';
import { HOST_FORMATS } from '../../model/servers/import/hosts';
import { useHost } from '../../model/workspace/context';
import { commandError } from '../../model/store/errors';
import { CodeText } from '../../widgets/code/CodeView';
import { CommandAlert } from '../../widgets/failure/CommandAlert';

/** A server as another host writes it. */
export function ExportDialog({ server, onClose }: { server: ServerItem; onClose: () => void }) {
  const host = useHost();
  const [format, setFormat] = useState<HostFormat>('mcpServers');
  const [exported, setExported] = useState<ServerExportResponse | null>(null);
  const [error, setError] = useState<CommandError | null>(null);

  useEffect(() => {
    let current = true;
    host.call('server_export', { serverId: server.id, format }).then(
      (response) => {
        if (!current) return;
        setExported(response);
        setError(null);
      },
      (thrown: unknown) => current && setError(commandError(thrown)),
    );
    return () => {
      current = false;
    };
  }, [host, server.id, format]);

  return (
    <Modal opened onClose={onClose} title={`Export ${server.draft.name}`} size={640}>
      <Stack gap="sm">
        <Select
          label="Host"
          data-autofocus
          data={HOST_FORMATS}
          value={format}
          allowDeselect={false}
          onChange={(value) => {
            const chosen = HOST_FORMATS.find((each) => each.value === value);
            if (chosen !== undefined) setFormat(chosen.value);
          }}
        />
        <Text c="dimmed" className="pb-selectable">
          {exported?.path ? (
            <>
              Paste into <span className="pb-mono">{exported.path}</span>.{' '}
            </>
          ) : (
            'The format most hosts read. '
          )}
          Secrets are not exported: fill in each {'${NAME}'}.
        </Text>
        {error !== null && <CommandAlert error={error} />}
        {exported !== null && exported.notes.length > 0 && (
          <List size="xs" c="var(--pb-warn)">
            {exported.notes.map((note) => (
              <List.Item key={note}>{note}</List.Item>
            ))}
          </List>
        )}
        {exported !== null && (
          <CodeText text={exported.text} language={exported.syntax} label="Configuration" />
        )}
      </Stack>
    </Modal>
  );
}
