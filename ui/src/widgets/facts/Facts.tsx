import type { CSSProperties, ReactNode } from 'react';
import classes from './Facts.module.css';

interface FactsProps {
  /** The width of the column of names; a number is in px at the default font size. */
  names?: CSSProperties['width'];
  /** `small`: 12 px and closer together, for details inside a list. */
  size?: 'small';
  /** A stripe at the left, for a failure; it is announced to screen readers. */
  tone?: 'warn' | 'error';
  children: ReactNode;
}

/** Names and values in two columns. */
export function Facts({ names = 96, size, tone, children }: FactsProps) {
  const width = typeof names === 'number' ? `calc(${names}px * var(--pb-scale))` : names;
  const list = (
    <dl
      className={`${classes.facts} pb-selectable`}
      style={{ '--names': width } as CSSProperties}
      data-size={size}
      data-tone={tone}
    >
      {children}
    </dl>
  );
  return tone === undefined ? list : <div role="alert">{list}</div>;
}

interface FactProps {
  name: ReactNode;
  /** For identifiers, addresses and code. */
  mono?: boolean;
  className?: string | undefined;
  /** Nothing: the fact is not shown. */
  children: ReactNode;
}

export function Fact({ name, mono, className, children }: FactProps) {
  if (children === null || children === undefined || children === false) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd className={[mono === true ? 'pb-mono' : '', className ?? ''].join(' ').trim() || undefined}>
        {children}
      </dd>
    </>
  );
}
