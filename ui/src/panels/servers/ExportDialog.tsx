import { List, Modal, Select, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { CommandError, HostFormat, ServerExportResponse, ServerItem } from '../../contract/generated';
import { fullName } from '../../model/connection/serverName';
import { HOST_FORMATS } from '../../model/servers/import/hosts';
import { useHost } from '../../model/workspace/context';
import { commandError } from '../../model/store/errors';
import { CodeText } from '../../widgets/code/CodeView';
import { CommandAlert } from '../../widgets/failure/CommandAlert';

interface Answer {
  format: HostFormat;
  exported: ServerExportResponse | null;
  error: CommandError | null;
}

/** A server as another host writes it. */
export function ExportDialog({ server, onClose }: { server: ServerItem; onClose: () => void }) {
  const host = useHost();
  const [format, setFormat] = useState<HostFormat>('mcpServers');
  const [answer, setAnswer] = useState<Answer | null>(null);

  useEffect(() => {
    let current = true;
    const known = (part: Omit<Answer, 'format'>): void => {
      if (current) setAnswer({ format, ...part });
    };
    host.call('server_export', { serverId: server.id, format }).then(
      (exported) => known({ exported, error: null }),
      (thrown: unknown) => known({ exported: null, error: commandError(thrown) }),
    );
    return () => {
      current = false;
    };
  }, [host, server.id, format]);

  // What another host reads is not shown below the name of this one.
  const { exported, error } = answer?.format === format ? answer : { exported: null, error: null };
  return (
    <Modal opened onClose={onClose} title={`Export ${fullName(server)}`} size={640}>
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
            exported !== null && 'The format most hosts read. '
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
