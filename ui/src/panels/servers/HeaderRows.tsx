import { Button, Group, Input, PasswordInput, Stack, TextInput } from '@mantine/core';
import { IconLock, IconLockOpen, IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { HttpHeader } from '../../contract/generated/contract';
import { isSecretHeader } from '../../model/serverForm';
import { IconButton } from '../../widgets/IconButton';
import { WhereStored } from './WhereStored';

interface HeaderRowsProps {
  headers: HttpHeader[];
  /** By row. */
  problems: Record<number, string>;
  onChange: (headers: HttpHeader[]) => void;
}

/** Headers that go out with every request. Secret ones are masked here and in the log. */
export function HeaderRows({ headers, problems, onChange }: HeaderRowsProps) {
  return (
    <div role="group" aria-label="Headers">
      <Input.Label size="xs">Headers</Input.Label>
      {headers.length > 0 && (
        <WhereStored>
          Values with a closed lock are masked here and in the traffic log, and left out of exports.
        </WhereStored>
      )}
      <Stack gap={4}>
        {headers.map((header, i) => (
          // A row is its place.
          // oxlint-disable-next-line react/no-array-index-key
          <HeaderRow
            key={i}
            index={i}
            header={header}
            problem={problems[i]}
            onChange={(next) => onChange(headers.with(i, next))}
            onRemove={() => onChange(headers.toSpliced(i, 1))}
          />
        ))}
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          style={{ alignSelf: 'flex-start' }}
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange([...headers, { name: '', value: '', isSecret: false }])}
        >
          Add header
        </Button>
      </Stack>
    </div>
  );
}

interface HeaderRowProps {
  index: number;
  header: HttpHeader;
  problem: string | undefined;
  onChange: (header: HttpHeader) => void;
  onRemove: () => void;
}

function HeaderRow({ index, header, problem, onChange, onRemove }: HeaderRowProps) {
  const [visible, setVisible] = useState(false);
  // Names that sound like a secret are masked in the log whatever is said here.
  const byName = isSecretHeader(header.name);
  const secret = byName || header.isSecret;
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
        <PasswordInput
          size="xs"
          aria-label={`Value of header ${index + 1}`}
          placeholder="value"
          flex={1}
          value={header.value}
          visible={visible}
          onVisibilityChange={setVisible}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or mask the value', tabIndex: 0 }}
          autoComplete="off"
          spellCheck={false}
          classNames={{ innerInput: 'pb-mono' }}
          onChange={(event) => onChange({ ...header, value: event.currentTarget.value })}
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
        label={byName ? 'Secret, by its name' : `Mask header ${index + 1} as a secret`}
        pressed={secret}
        disabled={byName}
        mt={2}
        onClick={() => onChange({ ...header, isSecret: !header.isSecret })}
      />
      <IconButton icon={IconX} label={`Remove header ${index + 1}`} mt={2} onClick={onRemove} />
    </Group>
  );
}
