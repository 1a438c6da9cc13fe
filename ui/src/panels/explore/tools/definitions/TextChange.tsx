import { presentableDiff } from '@codemirror/merge';
import { useMemo } from 'react';
import classes from './definitions.module.css';

/** After this time the rest is compared roughly, in ms: a task must not block the window. */
const TIMEOUT_MS = 20;
/** The longest text that is shown, in characters. */
const MAX_SHOWN = 10_000;

interface TextChangeProps {
  before: string | null;
  after: string | null;
}

interface Segment {
  kind: 'same' | 'before' | 'after';
  text: string;
}

/** What changed between two texts, word by word. Either may be missing. */
export function TextChange({ before, after }: TextChangeProps) {
  const isCut = (before?.length ?? 0) > MAX_SHOWN || (after?.length ?? 0) > MAX_SHOWN;
  const segments = useMemo(
    () => segmentsOf(before?.slice(0, MAX_SHOWN) ?? '', after?.slice(0, MAX_SHOWN) ?? ''),
    [before, after],
  );
  return (
    <>
      <div className={`${classes.text} pb-selectable`} role="group" aria-label="Before and after">
        {segments.map((segment, at) => {
          // Segments have no identity but their place.
          // oxlint-disable react/no-array-index-key
          if (segment.kind === 'before') return <del key={at}>{segment.text}</del>;
          if (segment.kind === 'after') return <ins key={at}>{segment.text}</ins>;
          return <span key={at}>{segment.text}</span>;
          // oxlint-enable react/no-array-index-key
        })}
      </div>
      {isCut && <p className={classes.note}>Only the first 10,000 characters are compared here.</p>}
    </>
  );
}

function segmentsOf(before: string, after: string): Segment[] {
  const segments: Segment[] = [];
  const push = (kind: Segment['kind'], text: string): void => {
    if (text !== '') segments.push({ kind, text });
  };
  let at = 0;
  for (const { fromA, toA, fromB, toB } of presentableDiff(before, after, {
    scanLimit: 500,
    timeout: TIMEOUT_MS,
  })) {
    push('same', before.slice(at, fromA));
    push('before', before.slice(fromA, toA));
    push('after', after.slice(fromB, toB));
    at = toA;
  }
  push('same', before.slice(at));
  return segments;
}
