import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './SideList.module.css';

export interface SideEntry {
  key: string;
  label: ReactNode;
  /** A second line, cut off at the end. */
  detail?: ReactNode;
  /** How far it is indented. */
  depth?: number;
}

interface Props {
  entries: readonly SideEntry[];
  /** The key of what is shown beside the list. */
  current: string | undefined;
  /** What the entries are: pages, or places of one page. */
  of: 'page' | 'location';
  onShow: (key: string) => void;
}

/** The contents of what is shown beside it. */
export function SideList({ entries, current, of, onShow }: Props) {
  return (
    <ul className={classes.entries}>
      {entries.map(({ key, label, detail, depth = 0 }) => (
        <li key={key}>
          <UnstyledButton
            className={classes.entry}
            data-selected={key === current || undefined}
            aria-current={key === current ? of : undefined}
            style={{ paddingLeft: 8 + 12 * depth }}
            onClick={() => onShow(key)}
          >
            {label}
            {detail !== undefined && <span className={classes.detail}>{detail}</span>}
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}
