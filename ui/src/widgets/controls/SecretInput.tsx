import { Button, Input, PasswordInput, type PasswordInputProps, Textarea } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { isInVault } from '../../model/vault/vault';
import classes from './SecretInput.module.css';

interface SecretInputProps extends Pick<
  PasswordInputProps,
  'label' | 'description' | 'placeholder' | 'error' | 'flex' | 'visible' | 'onVisibilityChange'
> {
  /** A new value, or a reference to a value in the vault. */
  value: string;
  onChange: (value: string) => void;
  /** The accessible name where there is no label. */
  name?: string;
  /** For a multi-line text such as a PEM key. */
  multiline?: boolean;
}

/** A secret: masked while typed, never shown again once it is in the vault. */
export function SecretInput({ value, onChange, name, multiline = false, ...rest }: SecretInputProps) {
  const { label, description, error, placeholder, flex } = rest;
  const common = { label, description, error, flex };
  if (isInVault(value)) {
    return (
      <Input.Wrapper {...common}>
        <div className={classes.kept} role="group" aria-label={name}>
          <IconLock size={14} aria-hidden />
          <span className="pb-ellipsis">Stored in the vault</span>
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
