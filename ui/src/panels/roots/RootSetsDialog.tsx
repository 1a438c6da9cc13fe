import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { RootSetItem } from '../../contract/generated';
import { useModel, useWorkspace } from '../../model/workspace/context';
import { Waiting } from '../../widgets/status/Waiting';
import { focused } from '../../widgets/focus/focused';
import { GuardedModal } from '../../widgets/layout/GuardedModal';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import { SettingsList } from '../../widgets/rows/SettingsRow';
import { RootSetForm } from './RootSetForm';
import { RootSetRow } from './RootSetRow';
import classes from './rootSets.module.css';

/** The shared sets of roots. Opens above the dialog that uses one. */
export function RootSetsDialog() {
  const { workspace } = useModel();
  const opened = useWorkspace(({ rootSetsOpen }) => rootSetsOpen);
  return (
    <GuardedModal
      opened={opened}
      onClose={() => workspace.setState({ rootSetsOpen: false })}
      title="Shared root sets"
      size={640}
      stackId="root-sets"
    >
      <Content />
    </GuardedModal>
  );
}

function Content() {
  const { roots } = useModel();
  const sets = useStore(roots, (state) => state.sets);
  const error = useStore(roots, (state) => state.setsError);
  /** The set that is edited; `new` for one that is added. */
  const [editing, setEditing] = useState<RootSetItem | 'new' | null>(null);
  useEffect(() => void roots.refreshSets(), [roots]);
  const alert = error !== null && (
    <CommandAlert error={error}>
      <Button variant="default" onClick={() => void roots.refreshSets()}>
        Try again
      </Button>
    </CommandAlert>
  );
  // What is entered stays when the list cannot be loaded again.
  if (editing !== null) {
    return (
      <>
        {alert}
        <RootSetForm item={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      </>
    );
  }
  if (sets === undefined) return alert || <Waiting text="Loading…" />;
  return (
    <Stack gap="md">
      {alert}
      <Text size="sm">
        Folders that several servers work in. Choose a set in the server settings. A server receives a folder
        of a set only after you allow it for that server.
      </Text>
      {sets.length === 0 ? (
        <p className={classes.dim}>No shared sets.</p>
      ) : (
        <SettingsList label="Shared sets">
          {sets.map((item) => (
            <RootSetRow key={item.id} item={item} onEdit={() => setEditing(item)} />
          ))}
        </SettingsList>
      )}
      <Group justify="flex-end" gap="xs">
        <Button
          ref={focused}
          data-autofocus
          leftSection={<IconPlus size={14} />}
          onClick={() => setEditing('new')}
        >
          Add a set
        </Button>
      </Group>
    </Stack>
  );
}
