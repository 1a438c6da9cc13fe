import { Button, Group, Input, PasswordInput, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { EnvVar } from '../../contract/generated/contract';
import { looksSecret } from '../../model/serverForm';
import { IconButton } from '../../widgets/IconButton';
import { WhereStored } from './WhereStored';

interface EnvRowsProps {
  env: EnvVar[];
  /** By row. */
  problems: Record<number, string>;
  onChange: (env: EnvVar[]) => void;
}

/** Environment variables. Values that look like secrets start masked. */
export function EnvRows({ env, problems, onChange }: EnvRowsProps) {
  return (
    <div>
      <Input.Label size="xs">Environment</Input.Label>
      {env.length > 0 && (
        <WhereStored>
          Values whose names look secret (TOKEN, KEY, PASSWORD …) are masked here and in the traffic log.
        </WhereStored>
      )}
      <Stack gap={4}>
        {env.map((variable, i) => (
          // A row is its place.
          // oxlint-disable-next-line react/no-array-index-key
          <EnvRow
            key={i}
            index={i}
            variable={variable}
            problem={problems[i]}
            onChange={(next) => onChange(env.with(i, next))}
            onRemove={() => onChange(env.toSpliced(i, 1))}
          />
        ))}
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          style={{ alignSelf: 'flex-start' }}
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange([...env, { name: '', value: '' }])}
        >
          Add variable
        </Button>
      </Stack>
    </div>
  );
}

interface EnvRowProps {
  index: number;
  variable: EnvVar;
  problem: string | undefined;
  onChange: (variable: EnvVar) => void;
  onRemove: () => void;
}

function EnvRow({ index, variable, problem, onChange, onRemove }: EnvRowProps) {
  /** None until the user decides. */
  const [visible, setVisible] = useState<boolean | null>(null);
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <TextInput
        aria-label={`Name of variable ${index + 1}`}
        placeholder="NAME"
        w="38%"
        value={variable.name}
        error={problem}
        spellCheck={false}
        classNames={{ input: 'pb-mono' }}
        onChange={(event) => onChange({ ...variable, name: event.currentTarget.value })}
      />
      <PasswordInput
        size="xs"
        aria-label={`Value of variable ${index + 1}`}
        placeholder="value"
        flex={1}
        value={variable.value}
        visible={visible ?? !looksSecret(variable.name)}
        onVisibilityChange={setVisible}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or mask the value', tabIndex: 0 }}
        autoComplete="off"
        spellCheck={false}
        classNames={{ innerInput: 'pb-mono' }}
        onChange={(event) => onChange({ ...variable, value: event.currentTarget.value })}
      />
      <IconButton icon={IconX} label={`Remove variable ${index + 1}`} mt={2} onClick={onRemove} />
    </Group>
  );
}
