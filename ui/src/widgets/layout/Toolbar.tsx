import type { ReactNode } from 'react';
import classes from './Toolbar.module.css';

/** A bar of controls above a list. */
export function Toolbar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.bar} role="toolbar" aria-label={label}>
      {children}
    </div>
  );
}

/** Controls that belong together. */
export function ToolGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.group} role="group" aria-label={label}>
      {children}
    </div>
  );
}
