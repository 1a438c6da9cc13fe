import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import type { EnvironmentSettings, ShellChoice } from '../../../contract/generated';
import { Segments } from '../../../widgets/controls/Segments';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { useUnsaved } from '../../../widgets/layout/GuardedModal';
import { Waiting } from '../../../widgets/status/Waiting';
import { OutdatedServers } from './OutdatedServers';
import { PathFolders } from './PathFolders';
import { PathPreview } from './PathPreview';
import { Source } from './Source';
import { type LoadedEnvironment, DEFAULTS, isDefault, isSame, useEnvironment } from './useEnvironment';
import classes from './environment.module.css';

const CHOICES: readonly { value: ShellChoice; label: string }[] = [
  { value: 'automatic', label: 'Automatic' },
  { value: 'login', label: 'Login shell' },
  { value: 'program', label: 'Other shell' },
  { value: 'none', label: 'None' },
];

function meaning(choice: ShellChoice, limitS: number): string {
  switch (choice) {
    case 'automatic':
      return `Runs your login shell, for at most ${limitS} s, if the desktop started Patchbay. From a terminal, the environment of the terminal is used.`;
    case 'login':
      return `Runs the shell that SHELL or your account names, for at most ${limitS} s, however Patchbay was started.`;
    case 'program':
      return `Runs another shell, as a login shell, for at most ${limitS} s.`;
    case 'none':
      return 'No shell is run. Programs get the environment that Patchbay was started with.';
  }
}

/** The environment that programs are started with: which shell sets it up, and which folders are added to PATH. */
export function Environment() {
  const environment = useEnvironment();
  const { loaded, error, dismiss } = environment;
  return (
    <Stack gap="sm">
      {loaded !== null && <Settings environment={environment} loaded={loaded} />}
      {error !== null && <CommandAlert error={error} onClose={loaded === null ? undefined : dismiss} />}
    </Stack>
  );
}

interface SettingsProps {
  environment: ReturnType<typeof useEnvironment>;
  loaded: LoadedEnvironment;
}

function Settings({ environment, loaded }: SettingsProps) {
  const { save, readAgain, busy, read } = environment;
  const { settings: saved, canRunShell, limitS } = loaded;
  const [form, setForm] = useState(saved);
  const change = (part: Partial<EnvironmentSettings>): void => setForm({ ...form, ...part });
  const isChanged = !isSame(form, saved);
  useUnsaved(isChanged);

  /** The settings that were sent last: they may not be loaded yet. */
  const sent = useRef(saved);

  async function send(settings: EnvironmentSettings): Promise<EnvironmentSettings | null> {
    const before = sent.current;
    sent.current = settings;
    const stored = await save(settings);
    if (stored === null && sent.current === settings) sent.current = before;
    return stored;
  }

  async function saveAll(settings: EnvironmentSettings): Promise<void> {
    const stored = await send(settings);
    if (stored !== null) setForm((now) => (now === settings ? stored : now));
  }

  function choose(shell: ShellChoice): void {
    setForm({ ...form, shell });
    // What is typed below is saved by its own button. Another shell has to be named first.
    if (shell !== 'program' || saved.program !== '') void send({ ...sent.current, shell });
  }

  return (
    <>
      {canRunShell && (
        <div>
          <Segments label="Shell" segments={CHOICES} value={form.shell} onChange={choose} />
          <p className={classes.note}>{meaning(form.shell, limitS)}</p>
        </div>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged) void saveAll(form);
        }}
      >
        <Stack gap="sm">
          {canRunShell && form.shell === 'program' && (
            <TextInput
              label="Other shell"
              description="Absolute path, or a name on PATH, without options"
              placeholder="/usr/bin/fish"
              value={form.program}
              spellCheck={false}
              autoComplete="off"
              classNames={{ input: 'pb-mono' }}
              onChange={(event) => change({ program: event.currentTarget.value })}
            />
          )}
          {busy === 'reading' && <Waiting text="Reading the environment…" />}
          {read !== null && busy !== 'reading' && <Source read={read} onReadAgain={readAgain} />}
          <PathFolders
            label="Folders before PATH"
            text="Searched before those of the environment. ~/ is your home folder."
            folders={form.pathBefore}
            home={read?.home ?? null}
            onChange={(pathBefore) => change({ pathBefore })}
          />
          <PathFolders
            label="Folders after PATH"
            text="Searched after those of the environment."
            folders={form.pathAfter}
            home={read?.home ?? null}
            onChange={(pathAfter) => change({ pathAfter })}
          />
          <Group gap="xs">
            <Button type="submit" loading={busy === 'saving'} disabled={!isChanged}>
              Save shell and PATH
            </Button>
            {!isDefault(saved) && (
              <Button
                variant="subtle"
                color="gray"
                disabled={busy !== null}
                onClick={() => {
                  setForm(DEFAULTS);
                  void saveAll(DEFAULTS);
                }}
              >
                Reset to default
              </Button>
            )}
          </Group>
        </Stack>
      </form>
      {read !== null && busy !== 'reading' && (
        <>
          <OutdatedServers ids={read.outdated} onRestarted={environment.refresh} />
          <PathPreview read={read} />
        </>
      )}
    </>
  );
}
