import { useMemo } from 'react';
import classes from './definitions.module.css';
import { formatCount } from '../../../../model/text/format';
import { replaced, wordDiff } from './wordDiff';

/** The longest text that is shown, in characters. */
const MAX_SHOWN = 10_000;
/** Of texts that are not compared. */
const MAX_ROUGH = 500;

interface TextChangeProps {
  before: string | null;
  after: string | null;
  /** Both are shown one after the other, instead of word by word. */
  isRough?: boolean;
}

/** What changed between two texts, word by word. Either may be missing. */
export function TextChange({ before, after, isRough = false }: TextChangeProps) {
  const most = isRough ? MAX_ROUGH : MAX_SHOWN;
  const isCut = (before?.length ?? 0) > most || (after?.length ?? 0) > most;
  const segments = useMemo(
    () => (isRough ? replaced : wordDiff)(before?.slice(0, most) ?? '', after?.slice(0, most) ?? ''),
    [before, after, isRough, most],
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
      {isCut && <p className={classes.note}>Only the first {formatCount(most)} characters are shown here.</p>}
    </>
  );
}
