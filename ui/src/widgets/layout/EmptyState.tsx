import type { ReactNode } from 'react';
import classes from './EmptyState.module.css';

interface EmptyStateProps {
  /** What is missing, as a title. */
  title: string;
  /** What would be shown, and the action that fills it. */
  text?: ReactNode;
  /** The action that fills it. */
  children?: ReactNode;
}

/** What is shown where a list or a pane has no content. */
export function EmptyState({ title, text, children }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <div className={classes.title}>{title}</div>
      {text !== undefined && <div className={classes.text}>{text}</div>}
      {children}
    </div>
  );
}
