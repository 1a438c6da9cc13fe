import { UnstyledButton } from '@mantine/core';
import type { CSSProperties, ComponentProps, ReactNode } from 'react';
import { moveInList } from '../focus/listFocus';
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

/** The contents of what is shown beside it. Arrow keys move in it. */
export function SideList({ entries, current, of, onShow }: Props) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows move between the entries
    <ul className={classes.entries} onKeyDown={moveInList}>
      {entries.map(({ key, label, detail, depth = 0 }) => (
        <li key={key}>
          <UnstyledButton
            className={classes.entry}
            data-entry
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

interface SideDialogProps {
  /** The width of the contents, in px. */
  width: number;
  /** The accessible name of the contents. */
  label: string;
  /** Above the contents. */
  search: ReactNode;
  /** The contents: mostly a `SideList`. */
  contents: ReactNode;
  /** What was chosen: a `SidePage`. */
  children: ReactNode;
}

/** The inside of a dialog with contents at the left. As high as it gets, so that nothing moves when another page is shown. */
export function SideDialog({ width, label, search, contents, children }: SideDialogProps) {
  return (
    <div className={classes.dialog} style={{ '--side': `${width}px` } as CSSProperties}>
      <nav className={classes.contents} aria-label={label} data-filter-scope>
        <div className={classes.search}>{search}</div>
        {contents}
      </nav>
      {children}
    </div>
  );
}

/** What is beside the contents; it scrolls by itself. */
export function SidePage(props: ComponentProps<'article'>) {
  return <article {...props} className={classes.page} />;
}
