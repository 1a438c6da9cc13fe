import { Button, Loader } from '@mantine/core';
import { useState } from 'react';
import type { ServerList } from '../../../model/lists/serverList';
import { Elapsed } from '../../../widgets/status/RecordStatus';
import classes from './list.module.css';

interface NoRowsProps {
  list: Pick<ServerList<unknown>, 'known' | 'error' | 'rows'>;
  /** `tool`, in the singular. */
  noun: string;
  /** What was searched for; empty if rows are hidden by other filters only. */
  query: string;
  /** Whether a search or a filter hides rows. */
  isPart: boolean;
  onClear: () => void;
  /** Cancels the request for the list. */
  onCancel: () => void;
  /** Shown for a list without rows, if nothing next to it explains that. */
  empty?: string;
}

/** Shown instead of the rows of a list that has none. Why it is empty or refused is shown next to it. */
export function NoRows({ list, noun, query, isPart, onClear, onCancel, empty }: NoRowsProps) {
  if (!list.known) return <Loading noun={noun} onCancel={onCancel} />;
  if (isPart && (list.error === null || list.rows.length > 0)) {
    return (
      <div className={classes.empty}>
        <p>
          No {noun} matches {query === '' ? 'the filter' : `“${query}”`}.
        </p>
        <Button variant="default" onClick={onClear}>
          Clear filter
        </Button>
      </div>
    );
  }
  return list.error === null && empty !== undefined && <div className={classes.empty}>{empty}</div>;
}

/** A list that is being loaded, and for how long. */
function Loading({ noun, onCancel }: Pick<NoRowsProps, 'noun' | 'onCancel'>) {
  const [sinceAtMs] = useState(() => Date.now());
  return (
    <div className={`${classes.empty} pb-late`}>
      <Loader size={16} aria-hidden />
      <p>Loading {noun}s…</p>
      {/* Not for a screen reader, which would read ten numbers a second. */}
      <span className="pb-num" aria-hidden>
        <Elapsed sinceAtMs={sinceAtMs} />
      </span>
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}
