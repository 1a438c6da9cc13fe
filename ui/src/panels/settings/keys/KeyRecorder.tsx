import { type KeyboardEvent, useEffect, useRef } from 'react';
import { type Keys, keysOf } from '../../../model/workspace/shortcuts/keys';
import classes from './keys.module.css';

interface KeyRecorderProps {
  /** The accessible name: what the keys are for. */
  label: string;
  /** What is shown: the keys pressed so far, or what to do. */
  children: string;
  /** Called with each combination that is pressed. */
  onKeys: (keys: Keys) => void;
  /** Escape or Tab. */
  onCancel: () => void;
  /** The focus went to another element of the window. */
  onLeave?: (to: Element | null) => void;
}

/** Has the focus and takes the keys that are pressed, instead of what they do elsewhere. Escape and Tab leave it. */
export function KeyRecorder({ label, children, onKeys, onCancel, onLeave }: KeyRecorderProps) {
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => field.current?.focus(), []);

  function onKeyDown(event: KeyboardEvent): void {
    const keys = keysOf({
      key: event.key,
      ctrlKey: event.ctrlKey,
      metaKey: event.metaKey,
      altKey: event.altKey,
      shiftKey: event.shiftKey,
      getModifierState: (name) => event.nativeEvent.getModifierState(name),
    });
    if (keys === 'Tab' || keys === 'Shift+Tab') {
      onCancel();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (keys === 'Escape') onCancel();
    else if (keys !== null && !event.repeat) onKeys(keys);
  }

  return (
    <div
      ref={field}
      className={classes.recorder}
      role="textbox"
      aria-readonly
      aria-label={label}
      tabIndex={0}
      // The dialog would close at Escape.
      data-mantine-stop-propagation="true"
      onKeyDown={onKeyDown}
      onBlur={({ currentTarget, relatedTarget }) => {
        // It stays the active element while another window has the focus.
        if (document.activeElement !== currentTarget) onLeave?.(relatedTarget);
      }}
    >
      {children}
    </div>
  );
}
