import { Group, Input, Stack, Switch, TextInput, Textarea } from '@mantine/core';
import type { FileWatchForm, FileWatchProblems } from '../../../../model/servers/fileWatch/fileWatchForm';
import type { ServerForm } from '../../../../model/servers/serverForm';
import { ArgumentRows } from './ArgumentRows';
import { WatchedPaths } from './WatchedPaths';

interface FileWatchFieldsProps {
  form: ServerForm;
  problems: FileWatchProblems;
  onChange: (part: Partial<ServerForm>) => void;
}

/** When a program is restarted because files changed. */
export function FileWatchFields({ form, problems, onChange }: FileWatchFieldsProps) {
  const watch = form.fileWatch;
  const change = (part: Partial<FileWatchForm>): void => onChange({ fileWatch: { ...watch, ...part } });
  return (
    <Stack gap="md">
      <Switch
        label="Restart when files change"
        description="Active while the server is connected or failed to start. Disconnecting stops it."
        checked={watch.on}
        onChange={(event) => {
          const on = event.currentTarget.checked;
          const isEmpty = watch.paths.every((path) => path.trim() === '');
          // Never the whole home folder by itself.
          change({ on, ...(on && isEmpty && form.cwd.trim() !== '' && { paths: ['.'] }) });
        }}
      />
      {watch.on && (
        <>
          <WatchedPaths
            paths={watch.paths}
            cwd={form.cwd}
            problem={problems.paths}
            onChange={(paths) => change({ paths })}
          />
          <Textarea
            label="Ignored"
            description="One pattern per line, as in .gitignore. Repositories (.git), node_modules, target, __pycache__, .venv and temporary files of editors are always ignored."
            placeholder={'dist/\n*.log'}
            autosize
            minRows={2}
            maxRows={6}
            spellCheck={false}
            classNames={{ input: 'pb-mono' }}
            value={watch.ignored}
            error={problems.ignored}
            onChange={(event) => change({ ignored: event.currentTarget.value })}
          />
          <TextInput
            label="Restart delay (ms)"
            description="The restart begins after this long without another change."
            rightSection="ms"
            inputMode="numeric"
            w={{ base: '100%', xs: '50%' }}
            value={watch.quietMs}
            error={problems.quietMs}
            onChange={(event) => change({ quietMs: event.currentTarget.value })}
          />
          <Build watch={watch} problems={problems} onChange={change} />
        </>
      )}
    </Stack>
  );
}

interface BuildProps {
  watch: FileWatchForm;
  problems: FileWatchProblems;
  onChange: (part: Partial<FileWatchForm>) => void;
}

function Build({ watch, problems, onChange }: BuildProps) {
  return (
    <>
      <TextInput
        label="Build command"
        description="Runs before each restart, in the working directory with the server’s environment, not through a shell. If it fails, the server is not restarted. Empty: no build."
        placeholder="npm"
        value={watch.command}
        error={problems.command}
        spellCheck={false}
        classNames={{ input: 'pb-mono' }}
        onChange={(event) => onChange({ command: event.currentTarget.value })}
      />
      {(watch.command.trim() !== '' || watch.args.length > 0 || watch.line !== undefined) && (
        <>
          <ArgumentRows
            of="Build"
            command={watch.command}
            args={watch.args}
            line={watch.line}
            isDisabled={false}
            onChange={onChange}
          />
          <Group>
            <TextInput
              label="Build timeout (s)"
              rightSection="s"
              inputMode="decimal"
              w={{ base: '100%', xs: '50%' }}
              value={watch.timeoutSeconds}
              error={problems.timeoutSeconds}
              onChange={(event) => onChange({ timeoutSeconds: event.currentTarget.value })}
            />
          </Group>
          <Input.Description>
            Files that first change during a build count as its output and do not trigger another build.
          </Input.Description>
        </>
      )}
    </>
  );
}
