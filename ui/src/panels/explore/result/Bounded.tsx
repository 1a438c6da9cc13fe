import { Button } from '@mantine/core';
import { Fragment, type ReactNode, useEffect, useState } from 'react';
import { formatCount } from '../../../model/text/format';
import classes from './result.module.css';

interface BoundedProps<T> {
  items: readonly T[];
  /** `message`, in the singular. */
  noun: string;
  children: (item: T, index: number) => ReactNode;
}

/** How many items are shown at once: each may be an editor with thousands of lines. */
const STEP = 20;
/** How many of them are created in one task. Twenty editors in one task took 125 ms. */
const SLICE = 2;

/** The first of any number of items, and a button that shows further ones. */
export function Bounded<T>({ items, noun, children }: BoundedProps<T>) {
  const [shown, setShown] = useState(STEP);
  const [created, setCreated] = useState(SLICE);
  const wanted = Math.min(shown, items.length);
  const rest = items.length - shown;
  useEffect(() => {
    if (created >= wanted) return undefined;
    const timer = setTimeout(() => setCreated(created + SLICE), 0);
    return () => clearTimeout(timer);
  }, [created, wanted]);
  return (
    <>
      {items.slice(0, Math.min(created, wanted)).map((item, index) => (
        // They have no identity other than their position.
        // oxlint-disable-next-line react/no-array-index-key
        <Fragment key={index}>{children(item, index)}</Fragment>
      ))}
      {rest > 0 && (
        <div className={classes.more}>
          <span className={`${classes.dim} pb-num`}>
            {formatCount(shown)} of {formatCount(items.length, noun)}
          </span>
          <Button variant="default" size="compact-xs" onClick={() => setShown(shown + STEP)}>
            Show {formatCount(Math.min(STEP, rest))} more
          </Button>
        </div>
      )}
    </>
  );
}
