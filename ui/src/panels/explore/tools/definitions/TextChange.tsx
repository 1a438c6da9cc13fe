import { useMemo } from 'react';
import classes from './definitions.module.css';
import { wordDiff } from './wordDiff';

/** The longest text that is shown, in characters. */
const MAX_SHOWN = 10_000;

interface TextChangeProps {
  before: string | null;
  after: string | null;
}

/** What changed between two texts, word by word. Either may be missing. */
export function TextChange({ before, after }: TextChangeProps) {
  const isCut = (before?.length ?? 0) > MAX_SHOWN || (after?.length ?? 0) > MAX_SHOWN;
  const segments = useMemo(
    () => wordDiff(before?.slice(0, MAX_SHOWN) ?? '', after?.slice(0, MAX_SHOWN) ?? ''),
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
