import { Collapse, Group, Radio, Stack, Switch, TextInput, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import type { EraChoice } from '../../contract/generated/contract';
import type { FormProblems, ServerForm } from '../../model/serverForm';
import { ArgumentRows } from './ArgumentRows';
import { EnvRows } from './EnvRows';

const ERAS: readonly { value: EraChoice; label: string; description: string }[] = [
  {
    value: 'auto',
    label: 'Auto',
    description:
      'Ask with server/discover first; go on with initialize if the server does not know it. The probe is in the log.',
  },
  {
    value: 'legacy',
    label: 'Legacy',
    description: 'Revisions up to 2025-11-25: initialize. Nothing else is sent first.',
  },
  { value: 'modern', label: 'Modern', description: '2026-07-28 and later: server/discover, no handshake.' },
];

interface ServerFieldsProps {
  form: ServerForm;
  problems: FormProblems;
  onChange: (part: Partial<ServerForm>) => void;
  /** The built-in server: how it is started cannot be edited. */
  isDemo: boolean;
}

/** The fields of a stdio server. */
export function ServerFields({ form, problems, onChange, isDemo }: ServerFieldsProps) {
  const [more, setMore] = useState(false);
  const showMore = more || problems.requestSeconds !== undefined || problems.maxTotalSeconds !== undefined;

  return (
    <Stack gap="md">
      <TextInput
        label="Name"
        value={form.name}
        error={problems.name}
        spellCheck={false}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
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
      <UnstyledButton onClick={() => setMore(!showMore)} aria-expanded={showMore}>
        <Group gap={4} c="dimmed">
          {showMore ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
          Era, folder and time-outs
        </Group>
      </UnstyledButton>
      <Collapse expanded={showMore}>
        <Stack gap="md">
          <Radio.Group label="Era" value={form.era} onChange={(era) => onChange({ era })}>
            <Stack gap="xs" mt={4}>
              {ERAS.map((era) => (
                <Radio key={era.value} {...era} />
              ))}
            </Stack>
          </Radio.Group>
          <TextInput
            label="Folder it starts in"
            placeholder="Home folder"
            value={form.cwd}
            spellCheck={false}
            classNames={{ input: 'pb-mono' }}
            onChange={(event) => onChange({ cwd: event.currentTarget.value })}
          />
          <Group grow align="flex-start" gap="md">
            <TextInput
              label="Time-out of a request"
              rightSection="s"
              inputMode="decimal"
              value={form.requestSeconds}
              error={problems.requestSeconds}
              onChange={(event) => onChange({ requestSeconds: event.currentTarget.value })}
            />
            <TextInput
              label="At most, whatever progress comes"
              rightSection="s"
              inputMode="decimal"
              value={form.maxTotalSeconds}
              error={problems.maxTotalSeconds}
              onChange={(event) => onChange({ maxTotalSeconds: event.currentTarget.value })}
            />
          </Group>
          <Switch
            label="Progress starts the time-out of a request anew"
            checked={form.resetOnProgress}
            onChange={(event) => onChange({ resetOnProgress: event.currentTarget.checked })}
          />
        </Stack>
      </Collapse>
    </Stack>
  );
}
