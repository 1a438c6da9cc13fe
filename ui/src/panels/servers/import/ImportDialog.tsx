import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useModel } from '../../../model/workspace/context';
import { formatCount } from '../../../model/text/format';
import type { ImportSource } from '../../../model/servers/import/hosts';
import { sourceName } from '../../../model/servers/import/readSource';
import { type Import, useImport } from '../../../model/servers/import/useImport';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { Fact, Facts } from '../../../widgets/facts/Facts';
import { EmptyState } from '../../../widgets/layout/EmptyState';
import { CancelButton, GuardedModal } from '../../../widgets/layout/GuardedModal';
import { Disclosure } from '../fields/Disclosure';
import { WhereStored } from '../fields/WhereStored';
import { HostFileSection } from './HostFileSection';
import classes from './ImportDialog.module.css';

interface ImportDialogProps {
  source: ImportSource;
  onClose: () => void;
}

/** Servers of other hosts: which, what differs, and adding those that are chosen. Nothing runs meanwhile. */
export function ImportDialog({ source, onClose }: ImportDialogProps) {
  const { workspace } = useModel();
  const importing = useImport(source, onClose);
  const { found, offers, error, adding } = importing;
  const secrets = offers.reduce((sum, { server }) => sum + server.secrets.length, 0);

  return (
    <GuardedModal
      isChanged={importing.isChanged}
      onClose={onClose}
      title={`Import servers from ${sourceName(source)}`}
      size={760}
      stackId="import"
    >
      <Stack gap="md">
        {found === null && error === null && <Loader size="sm" aria-label="Searching for other hosts" />}
        {found !== null && found.files.length === 0 && (
          <EmptyState
            title={`No servers found in ${sourceName(source)}`}
            text={
              source.type === 'hosts'
                ? 'No MCP servers found in the configuration files that Patchbay looks for.'
                : 'Nothing in it is an MCP server.'
            }
          >
            <Button
              variant="default"
              onClick={() => workspace.setState({ dialog: { type: 'addServer', pasted: '' } })}
            >
              Paste a configuration…
            </Button>
          </EmptyState>
        )}
        {found !== null && found.files.length > 0 && (
          <div className={classes.files}>
            {found.files.map((file) => (
              <HostFileSection key={file.place.path} file={file} importing={importing} />
            ))}
          </div>
        )}
        {found !== null && found.absent.length > 0 && (
          <Disclosure
            label={`No servers in ${formatCount(found.absent.length, 'other location')}`}
            isForced={false}
          >
            <Facts names={120} size="small">
              {found.absent.map(({ host, path }) => (
                <Fact key={path} name={host} mono>
                  {path}
                </Fact>
              ))}
            </Facts>
          </Disclosure>
        )}
        {secrets > 0 && (
          <WhereStored>
            {formatCount(secrets, 'secret')} in plaintext in these files. When added,{' '}
            {secrets === 1 ? 'it is' : 'they are'}
          </WhereStored>
        )}
        {error !== null && <AddingError importing={importing} />}
        <Group justify="flex-end" gap="xs">
          <Text size="xs" c="dimmed" style={{ marginRight: 'auto' }}>
            Nothing runs until you connect.
          </Text>
          <CancelButton takesFocus />
          <Button loading={adding} disabled={offers.length === 0} onClick={() => void importing.add(false)}>
            {offers.length === 0 ? 'Add' : `Add ${formatCount(offers.length, 'server')}`}
          </Button>
        </Group>
      </Stack>
    </GuardedModal>
  );
}

function AddingError({ importing }: { importing: Import }) {
  const { workspace } = useModel();
  const { error, found } = importing;
  if (error === null) return null;
  return (
    <CommandAlert error={error} onClose={importing.dismissError}>
      {error.code === 'vaultNeeded' ? (
        <>
          <Button variant="default" onClick={() => workspace.setState({ vaultOpen: true })}>
            Open the vault…
          </Button>
          <Button variant="subtle" color="gray" onClick={() => void importing.add(true)}>
            Add with plaintext secrets
          </Button>
        </>
      ) : found === null ? (
        <Button variant="default" onClick={() => void importing.look()}>
          Scan again
        </Button>
      ) : undefined}
    </CommandAlert>
  );
}
