import type { ReactNode } from 'react';
import classes from './Pane.module.css';

interface PaneProps {
  /** The name of the region; without one it is only a box. */
  label?: string;
  /** Stays in place above the content. */
  bar?: ReactNode;
  /** The content scrolls as a whole; otherwise it fills the pane and scrolls its own content. */
  scrolls?: boolean;
  /** Found by the `/` shortcut: the pane has a filter. */
  hasFilter?: boolean;
  children: ReactNode;
}

/** A part of the window that fills its place: a bar and the content below it. */
export function Pane({ label, bar, scrolls, hasFilter, children }: PaneProps) {
  return (
    <section className={classes.pane} aria-label={label} data-filter-scope={hasFilter}>
      {bar}
      <div className={scrolls === true ? classes.scroll : classes.fill}>{children}</div>
    </section>
  );
}
