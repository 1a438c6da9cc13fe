import type { ReactNode } from 'react';
import classes from './items.module.css';

interface ProblemsProps {
  problems: readonly string[];
  /** Why they are not known, as the end of a sentence; null if they are. */
  notChecked: string | null;
  /** What can be done about that. */
  children?: ReactNode;
}

/** How arguments differ from the tool’s schema, or that nobody knows. */
export function Problems({ problems, notChecked, children }: ProblemsProps) {
  if (notChecked !== null) {
    return (
      <div className={classes.problems} role="note">
        Not checked: {notChecked}. The arguments can be sent; the server may reject them. {children}
      </div>
    );
  }
  if (problems.length === 0) return null;
  return (
    <div className={classes.problems} role="note">
      The arguments do not match the tool’s schema; the server may reject them.
      <ul>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </div>
  );
}
