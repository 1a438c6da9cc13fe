import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { shortcutText } from '../model/shortcuts';

interface FilterInputProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** How long to wait for further keys, in ms. */
  delayMs: number;
  width?: number | string;
}

/** A text filter: `/` focuses it, Esc empties it, then leaves it. */
export function FilterInput({ label, value, onChange, delayMs, width }: FilterInputProps) {
  const [text, setText] = useState(value);
  const [told, setTold] = useState(value);
  const tell = useDebouncedCallback((next: string) => {
    setTold(next);
    onChange(next);
  }, delayMs);
  // Changed from elsewhere (e.g. because the filter hid what was asked for).
  if (value !== told) {
    setTold(value);
    setText(value);
  }

  function change(next: string): void {
    setText(next);
    tell(next);
  }

  return (
    <TextInput
      data-filter
      w={width}
      miw={120}
      aria-label={label}
      placeholder={`${label} (${shortcutText('filter')})`}
      leftSection={<IconSearch size={14} />}
      rightSection={
        text === '' ? undefined : (
          <CloseButton size="xs" aria-label="Clear the filter" onClick={() => change('')} />
        )
      }
      value={text}
      spellCheck={false}
      onChange={(event) => change(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        if (text === '') event.currentTarget.blur();
        else change('');
      }}
    />
  );
}
