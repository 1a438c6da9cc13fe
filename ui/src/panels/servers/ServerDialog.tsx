import { Button, Group, Stack } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { useStore } from 'zustand';
import type { CommandError, ServerDraft, ServerId, ServerItem } from '../../contract/generated';
import { fullName } from '../../model/connection/serverName';
import { useActions } from '../../model/workspace/actions';
import { isOpen } from '../../model/connection/connection';
import { useModel, useServers } from '../../model/workspace/context';
import type { ServerDialogPlace } from '../../model/workspace/workspace';
import { commandError } from '../../model/store/errors';
import {
  NO_PROBLEMS,
  type ServerForm,
  chosenRoots,
  draftOf,
  editedDraft,
  emptyForm,
  formOf,
  hasProblems,
  isReading,
  pastedFormOf,
  problemsOf,
} from '../../model/servers/serverForm';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import { CancelButton, GuardedModal } from '../../widgets/layout/GuardedModal';
import { DraftChoice } from './DraftChoice';
import { PasteBox } from './PasteBox';
import classes from './ServerDialog.module.css';
import { ServerFields } from './fields/ServerFields';

interface ServerDialogProps {
  /** The server to edit; null: a new one. */
  server: ServerItem | null;
  /** The text a new server is parsed from, if something was pasted already. */
  pasted: string;
  /** The setting that it opens at. */
  at?: ServerDialogPlace | undefined;
  onClose: () => void;
}

/** Adds servers from fields or pasted text, or edits one. */
export function ServerDialog({ server, pasted, at, onClose }: ServerDialogProps) {
  const { host, servers, vault, workspace } = useModel();
  const items = useServers((state) => state.items) ?? [];
  const actions = useActions();
  const [initial] = useState<ServerForm>(() => (server === null ? emptyForm() : formOf(server.draft)));
  const [form, setForm] = useState<ServerForm>(initial);
  /** The form as the last paste has filled it: it goes when the paste no longer says so, unless it was edited. */
  const [filled, setFilled] = useState<ServerForm | null>(null);
  /** The pasted servers, when there is more than one. */
  const [several, setSeveral] = useState<ServerDraft[] | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  /** Those that were added before a later one failed, as text: they are not added twice. */
  const [added, setAdded] = useState<ReadonlyMap<string, ServerId>>(new Map());
  /** Problems are shown after the first attempt to save, not during the first input. */
  const [tried, setTried] = useState(false);
  const [error, setError] = useState<CommandError | null>(null);
  const [saving, setSaving] = useState(false);
  const isVaultReady = useStore(vault, ({ known }) => known?.state.type === 'ready');
  useEffect(() => void vault.refresh(), [vault]);
  /** What was being saved when the vault was needed; it is saved when the vault opens. */
  const [held, setHeld] = useState<{ connect: boolean } | null>(null);
  const goOn = useEffectEvent(() => {
    if (held !== null) void save(held.connect);
  });
  useEffect(() => {
    if (isVaultReady) goOn();
  }, [isVaultReady]);
  const [isPasteRead, setPasteRead] = useState(pasted === '');
  /** What is saved as soon as the pasted text and the command line are read. */
  const [waiting, setWaiting] = useState<{ connect: boolean } | null>(null);
  const isRead = isPasteRead && (several !== null || !isReading(form));
  const saveRead = useEffectEvent(() => {
    if (waiting !== null) void save(waiting.connect);
  });
  useEffect(() => {
    if (isRead) saveRead();
  }, [isRead]);

  const taken = items.filter((item) => item.id !== server?.id).map((item) => item.draft.name);
  const problems = problemsOf(form, taken);
  const running = server !== null && isOpen(server.connection.state);
  const isAdded = (draft: ServerDraft): boolean => added.has(JSON.stringify(draft));
  const drafts = several?.filter((draft, i) => chosen.has(i) && !isAdded(draft)) ?? null;
  const many = drafts !== null && several !== null;
  /** Some were added, and nothing else is chosen. */
  const isDone = many && added.size > 0 && drafts.length === 0;
  const isChanged = many ? !isDone : JSON.stringify(form) !== JSON.stringify(initial);

  function onPasted(found: ServerDraft[]): void {
    setPasteRead(true);
    // Several are chosen from first.
    if (found.length > 1) setWaiting(null);
    const [first] = found;
    setSeveral(found.length > 1 ? found : null);
    setChosen(new Set(found.keys()));
    if (first !== undefined && found.length === 1) {
      const pastedForm = pastedFormOf(first);
      setForm(pastedForm);
      setFilled(pastedForm);
    } else if (first === undefined && form === filled) {
      setForm(initial);
      setFilled(null);
    }
  }

  async function add(all: ServerDraft[], plainSecrets: boolean, roots: string[]): Promise<ServerId[]> {
    const ids = new Map(added);
    for (const each of all) {
      // In sequence: the rail shows them in the order they are added.
      // oxlint-disable-next-line no-await-in-loop
      const { serverId } = await host.call('server_add', {
        draft: each,
        ...(plainSecrets && { plainSecrets }),
        ...(roots.length > 0 && { chosenRoots: roots }),
      });
      ids.set(JSON.stringify(each), serverId);
      setAdded(new Map(ids));
    }
    return (several ?? all).flatMap((each) => ids.get(JSON.stringify(each)) ?? []);
  }

  /** `plainSecrets`: secrets are stored as plaintext in the settings, at the user's choice. */
  async function save(connect: boolean, plainSecrets = false): Promise<void> {
    setTried(true);
    setWaiting(isRead ? null : { connect });
    if (!isRead || (drafts === null && hasProblems(problems))) return;
    setSaving(true);
    setError(null);
    setHeld(null);
    const roots = drafts === null ? chosenRoots(form) : [];
    try {
      let ids: ServerId[];
      if (server === null) {
        ids = await add(
          drafts ?? [draftOf({ ...form, disabled: form.disabled && !connect })],
          plainSecrets,
          roots,
        );
      } else {
        const draft = editedDraft(server.draft, initial, form);
        if (connect) delete draft.disabled;
        await host.call('server_update', {
          serverId: server.id,
          draft,
          ...(plainSecrets && { plainSecrets }),
          ...(roots.length > 0 && { chosenRoots: roots }),
        });
        ids = [server.id];
      }
      await servers.refresh();
      const [first] = ids;
      if (first !== undefined) actions.select(first);
      onClose();
      if (connect) await Promise.all(ids.map((id) => (running ? actions.restart(id) : actions.connect(id))));
    } catch (thrown) {
      const failure = commandError(thrown);
      setError(failure);
      void servers.refresh();
      if (failure.code === 'vaultNeeded') {
        setHeld({ connect });
        workspace.setState({ vaultOpen: true });
      }
    } finally {
      setSaving(false);
    }
  }

  /** Closes the dialog at the first of those that were added before a later one failed. */
  function close(): void {
    const [first] = added.values();
    if (first !== undefined) actions.select(first);
    onClose();
  }

  return (
    <GuardedModal
      isChanged={isChanged}
      onClose={close}
      size={680}
      stackId="server"
      title={server === null ? 'Add a server' : `Edit ${fullName(server)}`}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isDone) close();
          else void save(true);
        }}
      >
        <Stack gap="md">
          {server === null && (
            <PasteBox
              initial={pasted}
              onParsing={() => setPasteRead(false)}
              onPasted={onPasted}
              onBundle={(file) =>
                workspace.setState({ dialog: { type: 'addBundle', bundle: { type: 'file', file } } })
              }
              onRegistry={(source) => workspace.setState({ dialog: { type: 'addRegistry', source } })}
            />
          )}
          {many ? (
            <DraftChoice drafts={several} chosen={chosen} isAdded={isAdded} onChosen={setChosen} />
          ) : (
            <ServerFields
              form={form}
              problems={tried ? problems : NO_PROBLEMS}
              onChange={(part) => setForm((now) => ({ ...now, ...part }))}
              isDemo={server?.isDemo ?? false}
              at={at}
            />
          )}
          {error !== null && (
            <CommandAlert
              error={error}
              onClose={() => {
                setError(null);
                setHeld(null);
              }}
            >
              {error.code === 'vaultNeeded' ? (
                <>
                  <Button variant="default" onClick={() => workspace.setState({ vaultOpen: true })}>
                    Open the vault…
                  </Button>
                  <Button variant="subtle" color="gray" onClick={() => void save(false, true)}>
                    Save with plaintext secrets
                  </Button>
                </>
              ) : undefined}
            </CommandAlert>
          )}
          <Group justify="flex-end" gap="xs" className={classes.foot}>
            {isDone ? (
              <Button type="submit" variant="default" disabled={saving}>
                Close
              </Button>
            ) : (
              <>
                <CancelButton />
                <Button
                  variant="default"
                  disabled={saving || drafts?.length === 0}
                  onClick={() => void save(false)}
                >
                  {many ? `Add ${drafts.length}` : 'Save'}
                </Button>
                <Button type="submit" loading={saving} disabled={drafts?.length === 0}>
                  {form.disabled && !many
                    ? 'Save and enable'
                    : many
                      ? `Add ${drafts.length} and connect`
                      : running
                        ? 'Save and restart'
                        : 'Save and connect'}
                </Button>
              </>
            )}
          </Group>
        </Stack>
      </form>
    </GuardedModal>
  );
}
