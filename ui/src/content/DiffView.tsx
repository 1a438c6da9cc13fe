import { useMemo, useState } from 'react';
import { diffLines } from '../model/text/lineDiff';
import { formatCount } from '../model/text/format';
import { VirtualRows } from '../widgets/rows/VirtualRows';
import classes from './content.module.css';

const ROW_HEIGHT = 20;
/** The longest part of a line that is shown, in characters. */
const MAX_LINE = 2_000;
const SIGNS = { same: ' ', added: '+', removed: '−' } as const;
const nothing = (): void => {};

/** What changed between two texts. Fills its place. */
export function DiffView({ before, after }: { before: string; after: string }) {
  const diff = useMemo(() => diffLines(before, after), [before, after]);
  const [selected, setSelected] = useState<number | null>(null);
  const isSame = diff.added + diff.removed === 0;
  return (
    <section className={classes.diff} aria-label="Difference">
      <div className={classes.diffHead}>
        {isSame
          ? 'No difference'
          : `${formatCount(diff.added, 'line')} added, ${formatCount(diff.removed, 'line')} removed`}
      </div>
      {!isSame && (
        <div className={classes.diffBody}>
          <VirtualRows
            label="Changed lines"
            count={diff.lines.length}
            rowHeight={ROW_HEIGHT}
            onRange={nothing}
            generation=""
            selected={selected}
            onSelect={setSelected}
            follow={false}
            reveal={null}
            empty={null}
          >
            {(index) => {
              const line = diff.lines[index];
              if (line === null || line === undefined) return <div className={classes.diffGap}>⋯</div>;
              return (
                <pre className={`${classes.diffLine} pb-selectable`} data-kind={line.kind}>
                  {SIGNS[line.kind]} {line.text.slice(0, MAX_LINE)}
                </pre>
              );
            }}
          </VirtualRows>
        </div>
      )}
    </section>
  );
}
