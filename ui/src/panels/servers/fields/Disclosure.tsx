import { UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import classes from '../ServerDialog.module.css';

interface DisclosureProps {
  label: string;
  /** A summary of what is set inside, shown while closed. */
  summary?: string;
  /** Opened because something inside is invalid. */
  isForced: boolean;
  children: ReactNode;
}

/**
 * Fields that are rarely needed, collapsed. They open at once: in a box that grows, a field that is scrolled to or focused
 * meanwhile moves under the pointer, and the click misses it.
 */
export function Disclosure({ label, summary = '', isForced, children }: DisclosureProps) {
  const [wanted, setWanted] = useState(false);
  // It stays open while what is wrong is corrected.
  if (isForced && !wanted) setWanted(true);
  const open = wanted || isForced;
  return (
    <div>
      <UnstyledButton className={classes.disclosure} onClick={() => setWanted(!open)} aria-expanded={open}>
        {open ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
        {label}
        {!open && summary !== '' && <span className={`${classes.set} pb-ellipsis`}>{summary}</span>}
      </UnstyledButton>
      {open && <div className={classes.disclosed}>{children}</div>}
    </div>
  );
}
