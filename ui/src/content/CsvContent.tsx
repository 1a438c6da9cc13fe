import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { MAX_CSV_COLUMNS, MAX_CSV_ROWS, parseCsv } from '../model/text/csv';
import { formatCount, shortenedWithRest } from '../model/text/format';
import { VirtualRows } from '../widgets/rows/VirtualRows';
import classes from './content.module.css';

/** A row of hundreds of cells takes long to draw, and is seldom looked at to its end. */
const FIRST_COLUMNS = 40;
/** The longest part of a field that is shown, in characters. */
const MAX_FIELD = 200;
/** Longer texts are not parsed as a table, which would block the window. In bytes. */
export const TABLE_LIMIT = 2_000_000;
const nothing = (): void => {};

/** Whether a MIME type or the name of a resource says that it is CSV. */
export function isCsv(mimeType: string | null, uri = ''): boolean {
  if (mimeType !== null && /^(text|application)\/(csv|tab-separated-values)\b/i.test(mimeType)) return true;
  return (mimeType === null || /^text\/plain\b/i.test(mimeType)) && /\.(csv|tsv)($|[?#])/i.test(uri);
}

/** CSV as a table whose head is its first row. Only visible rows are rendered. */
export function CsvContent({ text, fill }: { text: string; fill: boolean }) {
  const table = useMemo(() => parseCsv(text), [text]);
  const [selected, setSelected] = useState<number | null>(null);
  const [head = [], ...rows] = table.rows;
  /** All columns are drawn; at first only as many as can be seen in a wide window. */
  const [isWide, setIsWide] = useState(false);
  const count = isWide ? table.columns : Math.min(table.columns, FIRST_COLUMNS);
  const columns = useMemo(() => widthsOf(table.rows, count), [table, count]);
  const style = { gridTemplateColumns: `56px ${columns}` };
  const cells = (fields: readonly string[]) =>
    Array.from({ length: count }, (_, column) => (
      // A column has no identity other than its position.
      // oxlint-disable-next-line react/no-array-index-key
      <span key={column} className={classes.cell}>
        {shortenedWithRest(fields[column] ?? '', MAX_FIELD)}
      </span>
    ));
  return (
    <div className={classes.table} data-fill={fill || undefined}>
      <div className={classes.tableScroll} data-fill={fill || undefined}>
        <div className={classes.tableInner}>
          <div className={classes.tableHead} style={style}>
            <span className={classes.cell} />
            {cells(head)}
          </div>
          <div
            className={classes.tableBody}
            style={fill ? undefined : { height: `min(300px, ${rows.length} * var(--pb-row-dense) + 2px)` }}
          >
            <VirtualRows
              label="Table"
              count={rows.length}
              rowSize="row-dense"
              onRange={nothing}
              generation=""
              selected={selected}
              onSelect={setSelected}
              follow={false}
              reveal={null}
              empty={<p className={classes.note}>No rows below the header.</p>}
            >
              {(index) => (
                <div className={`${classes.tableRow} pb-selectable`} style={style}>
                  <span className={`${classes.cell} ${classes.rowNumber} pb-num`}>{index + 1}</span>
                  {cells(rows[index] ?? [])}
                </div>
              )}
            </VirtualRows>
          </div>
        </div>
      </div>
      <div className={`${classes.tableFoot} pb-num`}>
        {formatCount(rows.length, 'row')} · {formatCount(table.columns, 'column')}
        {table.isCut &&
          ` · limited to ${formatCount(MAX_CSV_ROWS)} rows and ${formatCount(MAX_CSV_COLUMNS)} columns; Text shows everything`}
        {count < table.columns && (
          <Button variant="subtle" size="compact-xs" onClick={() => setIsWide(true)}>
            {`Show the other ${formatCount(table.columns - count, 'column')}`}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The widths of the columns as a grid, from the first rows. */
function widthsOf(rows: string[][], columns: number): string {
  const first = rows.slice(0, 50);
  return Array.from({ length: columns }, (_, column) => {
    const longest = Math.max(4, ...first.map((row) => row[column]?.length ?? 0));
    return `minmax(${Math.min(longest, 40) + 2}ch, 1fr)`;
  }).join(' ');
}
