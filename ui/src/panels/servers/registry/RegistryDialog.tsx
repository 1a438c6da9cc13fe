import { Button, Group, Loader, Stack } from '@mantine/core';
import type { RegistrySource } from '../../../contract/generated';
import { useRegistry } from '../../../model/servers/adding/registry/useRegistry';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { CancelButton, GuardedModal } from '../../../widgets/layout/GuardedModal';
import { RegistryReview } from './RegistryReview';
import { RegistrySourceForm } from './RegistrySourceForm';
import { focused } from '../../../widgets/focus/focused';

interface RegistryDialogProps {
  /** The document to begin with; null: the user names one here. */
  source: RegistrySource | null;
  onClose: () => void;
}

/** Adds a server from a `server.json` of the MCP registry: which package or address, with what it asks for. */
export function RegistryDialog({ source, onClose }: RegistryDialogProps) {
  const registry = useRegistry(source, onClose);
  const { state } = registry;
  return (
    <GuardedModal
      isChanged={registry.isChanged}
      onClose={onClose}
      size={720}
      stackId="registry"
      title="Add a server from server.json"
    >
      {state.type === 'none' && <RegistrySourceForm onSource={(from) => void registry.read(from)} />}
      {state.type === 'reading' && (
        <Group justify="space-between">
          <Loader size="sm" aria-label="Reading server.json" />
          <CancelButton />
        </Group>
      )}
      {state.type === 'failed' && (
        <Stack gap="md">
          <CommandAlert error={state.error} />
          <Group justify="flex-end" gap="xs">
            <CancelButton />
            <Button variant="default" ref={focused} data-autofocus onClick={registry.restart}>
              Choose another…
            </Button>
          </Group>
        </Stack>
      )}
      {state.type === 'read' && <RegistryReview servers={state.document.servers} registry={registry} />}
    </GuardedModal>
  );
}
