import type { FocusEventHandler, KeyboardEventHandler, ReactNode } from 'react';
import classes from './Toggle.module.css';

interface ToggleProps {
  pressed: boolean;
  onChange: (pressed: boolean) => void;
  tip?: string;
  tabIndex?: number;
  onFocus?: FocusEventHandler<HTMLButtonElement>;
  onKeyDown?: KeyboardEventHandler<HTMLButtonElement>;
  children: ReactNode;
}

/** A button that stays pressed: what it names is shown, or on. */
export function Toggle({ pressed, onChange, tip, children, ...rest }: ToggleProps) {
  return (
    <button
      type="button"
      className={classes.toggle}
      aria-pressed={pressed}
      data-tip={tip}
      onClick={() => onChange(!pressed)}
      {...rest}
    >
      {children}
    </button>
  );
}
