import type { ReactNode } from 'react';
import classes from './info.module.css';

/** Names and values in two columns. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={`${classes.facts} pb-selectable`}>{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
