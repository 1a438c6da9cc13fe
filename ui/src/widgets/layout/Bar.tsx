import type { ReactNode } from 'react';
import classes from './Bar.module.css';

/** The strip above a pane. With a `label` it is a toolbar: its controls belong to what is below. */
export function Bar({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <div className={classes.bar} role={label === undefined ? undefined : 'toolbar'} aria-label={label}>
      {children}
    </div>
  );
}

/** Controls that belong together. */
export function BarGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.group} role="group" aria-label={label}>
      {children}
    </div>
  );
}

/** The end of a bar. It wraps as a whole, so that no button is alone on a line. */
export function BarEnd({ children }: { children: ReactNode }) {
  return <div className={classes.end}>{children}</div>;
}
