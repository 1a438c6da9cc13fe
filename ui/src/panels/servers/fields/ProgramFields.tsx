import { Stack, TextInput } from '@mantine/core';
import type { FormProblems, ServerForm } from '../../../model/servers/serverForm';
import { ArgumentRows } from './ArgumentRows';
import { EnvRows } from './EnvRows';

interface ProgramFieldsProps {
  form: ServerForm;
  problems: FormProblems;
  onChange: (part: Partial<ServerForm>) => void;
  /** The built-in server: how it is started cannot be edited. */
  isDemo: boolean;
}

/** The fields of a server that is a program on this machine. */
export function ProgramFields({ form, problems, onChange, isDemo }: ProgramFieldsProps) {
  return (
    <Stack gap="md">
      <TextInput
        label="Command"
        description="A program: its path, or a name that is looked up in PATH. No shell is involved."
        value={form.command}
        error={problems.command}
        disabled={isDemo}
        spellCheck={false}
        classNames={{ input: 'pb-mono' }}
        onChange={(event) => onChange({ command: event.currentTarget.value })}
      />
      <ArgumentRows
        command={form.command}
        args={form.args}
        isDisabled={isDemo}
        onChange={(args) => onChange({ args })}
        onCommandLine={(command, args) => onChange({ command, args })}
      />
      <EnvRows env={form.env} problems={problems.env} onChange={(env) => onChange({ env })} />
      <TextInput
        label="Folder it starts in"
        placeholder="Home folder"
        value={form.cwd}
        spellCheck={false}
        classNames={{ input: 'pb-mono' }}
        onChange={(event) => onChange({ cwd: event.currentTarget.value })}
      />
    </Stack>
  );
}
