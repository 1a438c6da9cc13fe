import { Button, Checkbox, Group, Input, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ServerId } from '../../../contract/generated';
import { fullName } from '../../../model/connection/serverName';
import { isOpen } from '../../../model/connection/connection';
import { groupNameProblem, serversOf } from '../../../model/servers/groups/railRows';
import { useModel, useServers } from '../../../model/workspace/context';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { useSubmission } from '../../../widgets/failure/useSubmission';
import { CancelButton, GuardedModal } from '../../../widgets/layout/GuardedModal';
import { serverWord } from '../../../widgets/status/ConnectionStatus';
import classes from './groups.module.css';

/** From this many servers on, they can be searched. */
const SEARCHED_FROM = 10;

/** Adds a group (`group` is null) or edits one: its name and its servers. A new one has the connected servers. */
export function GroupDialog({ group, onClose }: { group: string | null; onClose: () => void }) {
  const { host, servers, ui } = useModel();
  const items = useServers((state) => state.items) ?? [];
  const groups = useServers((state) => state.groups);
  const [name, setName] = useState(group ?? '');
  const [initial] = useState<ReadonlySet<ServerId>>(() => {
    const first =
      group === null ? items.filter((item) => isOpen(item.connection.state)) : serversOf(items, group);
    return new Set(first.map(({ id }) => id));
  });
  const [chosen, setChosen] = useState(initial);
  const [search, setSearch] = useState('');
  const [tried, setTried] = useState(false);
  const { busy, error, setError, submit } = useSubmission();
  const problem = groupNameProblem(
    name,
    groups.filter((other) => other !== group),
  );
  const isChanged =
    name !== (group ?? '') || initial.size !== chosen.size || [...chosen].some((id) => !initial.has(id));
  const words = search.trim().toLowerCase();
  const shown = items.filter((item) => fullName(item).toLowerCase().includes(words));

  async function save(): Promise<void> {
    setTried(true);
    if (problem !== null) return;
    // One that was removed meanwhile is not named.
    const serverIds = items.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
    await submit(async () => {
      await host.call('group_save', { ...(group !== null && { group }), name: name.trim(), serverIds });
      if (group !== null)
        ui.setState(({ collapsedGroups }) => ({
          collapsedGroups: collapsedGroups.map((other) => (other === group ? name.trim() : other)),
        }));
      await servers.refresh();
      onClose();
    });
  }

  function toggle(id: ServerId, isChosen: boolean): void {
    setChosen((now) => {
      const next = new Set(now);
      if (isChosen) next.add(id);
      else next.delete(id);
      return next;
    });
  }

  return (
    <GuardedModal
      isChanged={isChanged}
      onClose={onClose}
      size={440}
      title={group === null ? 'Add a group' : `Edit group ${group}`}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Stack gap="md">
          <TextInput
            label="Name"
            placeholder="Work"
            data-autofocus
            value={name}
            error={tried ? problem : null}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Input.Wrapper
            label={`Servers (${items.filter(({ id }) => chosen.has(id)).length} of ${items.length})`}
            description="A server can be in several groups."
            labelElement="div"
            role="group"
            aria-label="Servers"
          >
            {items.length >= SEARCHED_FROM && (
              <TextInput
                aria-label="Find servers"
                placeholder="Find servers"
                mt={6}
                value={search}
                onChange={(event) => setSearch(event.currentTarget.value)}
              />
            )}
            <div className={classes.choices} tabIndex={-1}>
              {shown.map((item) => (
                <Checkbox
                  key={item.id}
                  checked={chosen.has(item.id)}
                  onChange={(event) => toggle(item.id, event.currentTarget.checked)}
                  label={
                    <span className={classes.choice}>
                      <span className="pb-ellipsis" dir="auto">
                        {fullName(item)}
                      </span>
                      <span className={classes.state}>{serverWord(item)}</span>
                    </span>
                  }
                />
              ))}
              {shown.length === 0 && <span className={classes.state}>No server has this name.</span>}
            </div>
          </Input.Wrapper>
          {error !== null && <CommandAlert error={error} onClose={() => setError(null)} />}
          <Group justify="flex-end" gap="xs">
            <CancelButton />
            <Button type="submit" loading={busy}>
              {group === null ? 'Add group' : 'Save'}
            </Button>
          </Group>
        </Stack>
      </form>
    </GuardedModal>
  );
}
