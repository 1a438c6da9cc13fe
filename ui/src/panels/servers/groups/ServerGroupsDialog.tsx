import { Button, Group, Stack, TagsInput } from '@mantine/core';
import { useState } from 'react';
import type { ServerItem } from '../../../contract/generated';
import { fullName } from '../../../model/connection/serverName';
import { useModel, useServers } from '../../../model/workspace/context';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { useSubmission } from '../../../widgets/failure/useSubmission';
import { CancelButton, GuardedModal } from '../../../widgets/layout/GuardedModal';

/** The groups that a server is in. A new name adds a group. */
export function ServerGroupsDialog({ server, onClose }: { server: ServerItem; onClose: () => void }) {
  const { host, servers } = useModel();
  const all = useServers((state) => state.groups);
  const [initial] = useState<string[]>(server.draft.groups ?? []);
  const [groups, setGroups] = useState(initial);
  const [search, setSearch] = useState('');
  const { busy, error, setError, submit } = useSubmission();

  async function save(): Promise<void> {
    await host.call('server_groups_set', { serverId: server.id, groups });
    await servers.refresh();
    onClose();
  }

  return (
    <GuardedModal
      isChanged={search.trim() !== '' || JSON.stringify(groups) !== JSON.stringify(initial)}
      onClose={onClose}
      size={440}
      title={`Groups of ${fullName(server)}`}
    >
      <Stack gap="md">
        <TagsInput
          label="Groups"
          description="Choose groups, or enter the name of a new one."
          placeholder={groups.length === 0 ? 'None' : ''}
          data-autofocus
          data={[...all]}
          value={groups}
          maxLength={100}
          acceptValueOnBlur
          onChange={setGroups}
          searchValue={search}
          onSearchChange={setSearch}
        />
        {error !== null && <CommandAlert error={error} onClose={() => setError(null)} />}
        <Group justify="flex-end" gap="xs">
          <CancelButton />
          <Button loading={busy} onClick={() => void submit(save)}>
            Save
          </Button>
        </Group>
      </Stack>
    </GuardedModal>
  );
}
