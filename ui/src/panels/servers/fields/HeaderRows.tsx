import { Group, Input, TextInput } from '@mantine/core';
import { IconLock, IconLockOpen, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { HttpHeader } from '../../../contract/generated';
import { isSecretName } from '../../../model/servers/secretNames';
import { isInVault } from '../../../model/vault/vault';
import { IconButton } from '../../../widgets/controls/IconButton';
import { SecretInput } from '../../../widgets/controls/SecretInput';
import { type RowActions, Rows } from '../../../widgets/controls/Rows';
import { WhereStored } from './WhereStored';

interface HeaderRowsProps {
  headers: HttpHeader[];
  /** By row. */
  problems: Record<number, string>;
  onChange: (headers: HttpHeader[]) => void;
}

/** Headers sent with every request. Secret ones are masked here and in the log. */
export function HeaderRows({ headers, problems, onChange }: HeaderRowsProps) {
  return (
    <div role="group" aria-label="Headers">
      <Input.Label size="xs">Headers</Input.Label>
      {headers.length > 0 && (
        <WhereStored>Locked values are masked in the traffic log, left out of exports, and</WhereStored>
      )}
      <Rows rows={headers} onChange={onChange} noun="header" blank={{ name: '', value: '', isSecret: false }}>
        {(header, i, row) => <HeaderRow index={i} header={header} problem={problems[i]} {...row} />}
      </Rows>
    </div>
  );
}

interface HeaderRowProps extends RowActions<HttpHeader> {
  index: number;
  header: HttpHeader;
  problem: string | undefined;
}

function HeaderRow({ index, header, problem, onChange, onRemove }: HeaderRowProps) {
  const [visible, setVisible] = useState(false);
  // Values whose names look secret are masked in the log in any case.
  const byName = isSecretName(header.name.trim());
  const isKept = isInVault(header.value);
  const secret = byName || header.isSecret || isKept;
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <TextInput
        aria-label={`Name of header ${index + 1}`}
        placeholder="Name"
        w="34%"
        value={header.name}
        error={problem}
        spellCheck={false}
        classNames={{ input: 'pb-mono' }}
        onChange={(event) => onChange({ ...header, name: event.currentTarget.value })}
      />
      {secret ? (
        <SecretInput
          name={`Value of header ${index + 1}`}
          placeholder="value"
          flex={1}
          value={header.value}
          visible={visible}
          onVisibilityChange={setVisible}
          // The replacement of a secret is a secret.
          onChange={(value) => onChange({ ...header, value, isSecret: header.isSecret || isKept })}
        />
      ) : (
        <TextInput
          aria-label={`Value of header ${index + 1}`}
          placeholder="value"
          flex={1}
          value={header.value}
          autoComplete="off"
          spellCheck={false}
          classNames={{ input: 'pb-mono' }}
          onChange={(event) => onChange({ ...header, value: event.currentTarget.value })}
        />
      )}
      <IconButton
        icon={secret ? IconLock : IconLockOpen}
        label={byName ? 'Secret because of its name' : `Mask header ${index + 1} as a secret`}
        pressed={secret}
        disabled={byName}
        mt={2}
        onClick={() => onChange({ ...header, isSecret: !header.isSecret })}
      />
      <IconButton icon={IconX} label={`Remove header ${index + 1}`} mt={2} onClick={onRemove} />
    </Group>
  );
}
