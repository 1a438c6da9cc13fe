import { Group, Input, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { EnvVar } from '../../../../contract/generated';
import { isSecretName } from '../../../../model/servers/secretNames';
import { IconButton } from '../../../../widgets/controls/IconButton';
import { SecretInput } from '../../../../widgets/controls/SecretInput';
import { type RowActions, Rows } from '../../../../widgets/controls/Rows';
import { WhereStored } from '../WhereStored';

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
          Values whose names look secret (TOKEN, KEY, PASSWORD, …) are masked in the traffic log and
        </WhereStored>
      )}
      <Rows rows={env} onChange={onChange} noun="variable" blank={{ name: '', value: '' }}>
        {(variable, i, row) => <EnvRow index={i} variable={variable} problem={problems[i]} {...row} />}
      </Rows>
    </div>
  );
}

interface EnvRowProps extends RowActions<EnvVar> {
  index: number;
  variable: EnvVar;
  problem: string | undefined;
}

function EnvRow({ index, variable, problem, onChange, onRemove }: EnvRowProps) {
  /** Undefined until the user decides. */
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
      <SecretInput
        name={`Value of variable ${index + 1}`}
        placeholder="value"
        flex={1}
        value={variable.value}
        visible={visible ?? !isSecretName(variable.name)}
        onVisibilityChange={setVisible}
        onChange={(value) => onChange({ ...variable, value })}
      />
      <IconButton icon={IconX} label={`Remove variable ${index + 1}`} mt={2} onClick={onRemove} />
    </Group>
  );
}
