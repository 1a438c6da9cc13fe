import { Collapse, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import classes from '../ServerDialog.module.css';

interface DisclosureProps {
  label: string;
  /** What is set inside, while it is closed. */
  summary?: string;
  /** Opened by what is wrong inside. */
  isForced: boolean;
  children: ReactNode;
}

/** Fields that are seldom needed, behind a line. */
export function Disclosure({ label, summary = '', isForced, children }: DisclosureProps) {
  const [wanted, setWanted] = useState(false);
  const open = wanted || isForced;
  return (
    <div>
      <UnstyledButton className={classes.disclosure} onClick={() => setWanted(!open)} aria-expanded={open}>
        {open ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
        {label}
        {!open && summary !== '' && <span className={`${classes.set} pb-ellipsis`}>{summary}</span>}
      </UnstyledButton>
      <Collapse expanded={open} pt={open ? 'sm' : 0}>
        {children}
      </Collapse>
    </div>
  );
}
