import { Button, Group, Input, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { RootSetItem } from '../../contract/generated';
import { rootFolders, rootsProblem } from '../../model/servers/roots/rootWords';
import type { RootDraft } from '../../model/servers/serverForm';
import { useModel } from '../../model/workspace/context';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import { useSubmission } from '../../widgets/failure/useSubmission';
import { RootFolders } from '../../widgets/folders/RootFolders';
import { useUsers } from './useUsers';
import { focused } from '../../widgets/focus/focused';
import { CancelButton, useUnsaved } from '../../widgets/layout/GuardedModal';
import classes from './rootSets.module.css';

interface RootSetFormProps {
  /** The set that is edited; null for a new one. */
  item: RootSetItem | null;
  onClose: () => void;
}

/** The name and the folders of a shared set. */
export function RootSetForm({ item, onClose }: RootSetFormProps) {
  const { roots } = useModel();
  const users = useUsers({ usedBy: item?.usedBy ?? [] });
  const [name, setName] = useState(item?.name ?? '');
  const [folders, setFolders] = useState<RootDraft[]>(
    () => item?.folders.map((folder) => ({ path: folder.path, name: folder.name ?? '' })) ?? [],
  );
  const entered = JSON.stringify({ name, folders });
  const [initial] = useState(entered);
  useUnsaved(entered !== initial);
  const [tried, setTried] = useState(false);
  const { busy, error, setError, submit } = useSubmission();
  const nameProblem = name.trim() === '' ? 'Enter a name.' : undefined;
  const problem = rootsProblem(folders);

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    setError(null);
    if (nameProblem !== undefined || problem !== undefined) return;
    await submit(async () => {
      await roots.save({ rootSetId: item?.id ?? null, name, folders: rootFolders(folders) });
      onClose();
    });
  }

  return (
    <form onSubmit={(event) => void save(event)} aria-label="Shared set">
      <Stack gap="sm">
        <TextInput
          label="Name"
          value={name}
          maxLength={100}
          error={tried ? nameProblem : undefined}
          ref={focused}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <div>
          <Input.Label size="xs">Folders</Input.Label>
          <RootFolders roots={folders} onRoots={setFolders} />
          {tried && problem !== undefined && <Input.Error role="alert">{problem}</Input.Error>}
        </div>
        {users !== '' && (
          <p className={classes.dim}>
            Used by {users}. Removed folders are no longer sent. Added folders need your consent for each
            server.
          </p>
        )}
        {error !== null && <CommandAlert error={error} onClose={() => setError(null)} />}
        <Group justify="flex-end" gap="xs">
          <CancelButton onCancel={onClose} />
          <Button type="submit" loading={busy}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
