import { Checkbox, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type FormProblems, type ServerForm, isCommandLine } from '../../../model/servers/serverForm';
import { useHost } from '../../../model/workspace/context';
import { LinkButton } from '../../../widgets/links/LinkButton';
import { ArgumentRows } from './program/ArgumentRows';
import { EnvRows } from './program/EnvRows';
import classes from '../ServerDialog.module.css';

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
      {!isDemo && form.args.every((arg) => arg === '') && isCommandLine(form.command) && (
        <SplitOffer
          key={form.command}
          line={form.command}
          onSplit={(command, args) => onChange({ command, args })}
        />
      )}
      <ArgumentRows
        command={form.command}
        args={form.args}
        line={form.line}
        isDisabled={isDemo}
        onChange={onChange}
      />
      <EnvRows env={form.env} problems={problems.env} onChange={(env) => onChange({ env })} />
      <Checkbox
        label="Inherit all environment variables"
        description="Includes keys and tokens of other programs. Otherwise, the server inherits only PATH, HOME, language, proxy and similar variables."
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

/** A whole command line in the field of the command would be taken for the name of a file. */
function SplitOffer(props: { line: string; onSplit: (command: string, args: string[]) => void }) {
  const { line, onSplit } = props;
  const host = useHost();
  const [problem, setProblem] = useState<string | null>(null);

  async function split(): Promise<void> {
    try {
      const { drafts, problems } = await host.call('server_parse', { text: line });
      const transport = drafts[0]?.transport;
      if (transport?.type === 'stdio') onSplit(transport.command, transport.args);
      else setProblem(problems[0] ?? 'It cannot be split. Use “Edit as command line”.');
    } catch (thrown) {
      setProblem(thrown instanceof Error ? thrown.message : String(thrown));
    }
  }

  return (
    <p className={classes.split} role="note">
      {problem ?? 'This is a command line: a command has no arguments in it.'}
      {problem === null && <LinkButton onClick={() => void split()}>Split into arguments</LinkButton>}
    </p>
  );
}
