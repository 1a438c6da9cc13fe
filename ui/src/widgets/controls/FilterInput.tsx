import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch, IconX } from '@tabler/icons-react';
import { type CSSProperties, useState } from 'react';
import { shortcutText } from '../../model/workspace/shortcuts';
import classes from './FilterInput.module.css';

interface FilterInputProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** How long to wait for further keys, in ms; 0 tells each at once. */
  delayMs: number;
  width?: CSSProperties['width'];
}

/**
 * A text filter: `/` focuses it, Esc empties it, then leaves it.
 *
 * Plain elements, not Mantine's TextInput: each key draws it anew, and it must not be what a key costs.
 */
export function FilterInput({ label, value, onChange, delayMs, width }: FilterInputProps) {
  const [text, setText] = useState(value);
  const [told, setTold] = useState(value);
  const tell = (next: string): void => {
    setTold(next);
    onChange(next);
  };
  const tellSoon = useDebouncedCallback(tell, delayMs);
  // Changed from elsewhere (e.g. because the filter hid what was asked for).
  if (value !== told) {
    setTold(value);
    setText(value);
  }

  function change(next: string): void {
    setText(next);
    if (delayMs === 0) tell(next);
    else tellSoon(next);
  }

  return (
    <div className={classes.filter} style={{ width }}>
      <IconSearch size={14} aria-hidden />
      <input
        data-filter
        aria-label={label}
        placeholder={`${label} (${shortcutText('filter')})`}
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
      <button
        type="button"
        className={classes.clear}
        aria-label="Clear the filter"
        data-empty={text === '' || undefined}
        onClick={() => change('')}
      >
        <IconX size={14} />
      </button>
    </div>
  );
}
