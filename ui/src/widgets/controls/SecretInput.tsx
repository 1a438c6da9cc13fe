import { Button, Input, PasswordInput, type PasswordInputProps, Textarea } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { isInVault } from '../../model/vault/vault';
import classes from './SecretInput.module.css';

interface SecretInputProps extends Pick<
  PasswordInputProps,
  'label' | 'description' | 'placeholder' | 'error' | 'flex' | 'visible' | 'onVisibilityChange'
> {
  /** A new value, or the reference that stands for one in the vault. */
  value: string;
  onChange: (value: string) => void;
  /** Its name, where no label says it. */
  name?: string;
  /** A text of several lines: a key in PEM. */
  multiline?: boolean;
}

/** A secret: masked while it is typed, never shown again once the vault has it. */
export function SecretInput({ value, onChange, name, multiline = false, ...rest }: SecretInputProps) {
  const { label, description, error, placeholder, flex } = rest;
  const common = { label, description, error, flex };
  if (isInVault(value)) {
    return (
      <Input.Wrapper {...common}>
        <div className={classes.kept} role="group" aria-label={name}>
          <IconLock size={14} aria-hidden />
          <span className="pb-ellipsis">kept in the vault</span>
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            aria-label={name === undefined ? undefined : `Replace ${name}`}
            onClick={() => onChange('')}
          >
            Replace
          </Button>
        </div>
      </Input.Wrapper>
    );
  }
  if (multiline) {
    return (
      <Textarea
        {...common}
        placeholder={placeholder}
        aria-label={name}
        autosize
        minRows={2}
        maxRows={5}
        value={value}
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: `pb-mono ${classes.masked}` }}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <PasswordInput
      {...rest}
      size="xs"
      aria-label={name}
      value={value}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or mask the value', tabIndex: 0 }}
      autoComplete="off"
      spellCheck={false}
      classNames={{ innerInput: 'pb-mono' }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
