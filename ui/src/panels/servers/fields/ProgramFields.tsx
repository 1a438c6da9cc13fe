import { Checkbox, Stack, TextInput } from '@mantine/core';
import type { FormProblems, ServerForm } from '../../../model/servers/serverForm';
import { ArgumentRows } from './ArgumentRows';
import { EnvRows } from './EnvRows';

interface ProgramFieldsProps {
  form: ServerForm;
  problems: FormProblems;
  onChange: (part: Partial<ServerForm>) => void;
  /** The built-in server: its command cannot be edited. */
  isDemo: boolean;
}

/** The fields of a stdio server. */
export function ProgramFields({ form, problems, onChange, isDemo }: ProgramFieldsProps) {
  return (
    <Stack gap="md">
      <TextInput
        label="Command"
        description="Path, or a name on PATH. Not run through a shell."
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
      <Checkbox
        label="Inherit all environment variables"
        description="Also keys and tokens of other programs. Otherwise the server gets PATH, HOME, language, proxy and similar variables."
        checked={form.inheritEnvironment}
        onChange={(event) => onChange({ inheritEnvironment: event.currentTarget.checked })}
      />
      <TextInput
        label="Working directory"
        placeholder="Home directory"
        value={form.cwd}
        spellCheck={false}
        classNames={{ input: 'pb-mono' }}
        onChange={(event) => onChange({ cwd: event.currentTarget.value })}
      />
    </Stack>
  );
}
