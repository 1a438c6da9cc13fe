import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { COLUMNS, type Column, type ColumnId } from '../../model/traffic/view/columns';
import { type Sort, type SortColumn, ariaSort, nextSort, sortWords } from '../../model/traffic/view/sorting';
import type { Timeline } from '../../model/traffic/view/timeline';
import { ColumnHandle } from './ColumnHandle';
import { TimelineHead } from './TimelineCell';
import classes from './TrafficRow.module.css';

interface TrafficHeadProps {
  showServer: boolean;
  /** The widths of the columns that were changed, in px. */
  widths?: Readonly<Record<string, number>>;
  /** Makes the columns resizable: called with the new width, null for the usual one. */
  onWidth?: (column: Column, px: number | null) => void;
  /** Makes the log sortable. Null: by time, as the records arrive. */
  sort?: Sort | null;
  onSort?: (sort: Sort | null) => void;
  /** The time of the rows in view, in a log that shows it. */
  timeline?: Timeline | undefined;
}

/** The names of the columns. Their buttons are one stop of the Tab key: the arrow keys move between them. */
export function TrafficHead({
  showServer,
  widths = {},
  onWidth,
  sort = null,
  onSort,
  timeline,
}: TrafficHeadProps) {
  const [current, setCurrent] = useState<SortColumn>('time');
  const isLive = onWidth !== undefined || onSort !== undefined;

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0 || !(event.target instanceof HTMLButtonElement)) return;
    const buttons = [...event.currentTarget.querySelectorAll('button')].filter(
      (button) => button.offsetParent !== null,
    );
    const at = buttons.indexOf(event.target);
    event.preventDefault();
    buttons[(at + by + buttons.length) % buttons.length]?.focus();
  }

  const title = (column: SortColumn, label: string): ReactNode =>
    onSort === undefined ? (
      <span data-word={column === 'status' || undefined}>{label}</span>
    ) : (
      <SortButton
        column={column}
        label={label}
        sort={sort}
        isStop={column === current}
        onFocus={() => setCurrent(column)}
        onSort={onSort}
      />
    );
  const cell = (id: ColumnId, className: string | undefined): ReactNode => {
    const column = COLUMNS.find((each) => each.id === id);
    const by: SortColumn | null = id === 'id' ? null : id;
    return (
      <span
        className={className}
        role={isLive ? 'columnheader' : undefined}
        aria-sort={isLive && by !== null ? ariaSort(sort, by) : undefined}
      >
        {by === null ? column?.label : title(by, column?.label ?? '')}
        {column?.width !== undefined && onWidth !== undefined && (
          <ColumnHandle column={column} width={widths[id]} onWidth={onWidth} />
        )}
      </span>
    );
  };
  return (
    <div
      className={classes.table}
      role={isLive ? 'table' : undefined}
      aria-label={isLive ? 'Columns of the log' : undefined}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- its buttons have the focus */}
      <div
        className={[
          classes.grid,
          classes.head,
          showServer ? classes.all : '',
          timeline === undefined ? '' : classes.timed,
        ].join(' ')}
        role={isLive ? 'row' : undefined}
        aria-hidden={!isLive || undefined}
        onKeyDown={onKeyDown}
        // The column that had the focus may be hidden later, the time is not.
        onBlur={({ currentTarget, relatedTarget }) => {
          if (!currentTarget.contains(relatedTarget)) setCurrent('time');
        }}
      >
        <span
          role={isLive ? 'columnheader' : undefined}
          aria-sort={isLive ? ariaSort(sort, 'time') : undefined}
        >
          {title('time', 'Time')}
        </span>
        {cell('server', classes.server)}
        <span />
        {cell('kind', classes.kind)}
        {cell('method', classes.method)}
        {cell('id', classes.id)}
        <span role={isLive ? 'columnheader' : undefined}>Summary</span>
        {cell('status', classes.status)}
        {cell('latency', `${classes.number} ${classes.latency}`)}
        {cell('size', `${classes.number} ${classes.size}`)}
        {timeline !== undefined && <TimelineHead timeline={timeline} />}
        <span />
      </div>
    </div>
  );
}

interface SortButtonProps {
  column: SortColumn;
  label: string;
  sort: Sort | null;
  /** Whether the Tab key stops here. */
  isStop: boolean;
  onFocus: () => void;
  onSort: (sort: Sort | null) => void;
}

function SortButton({ column, label, sort, isStop, onFocus, onSort }: SortButtonProps) {
  const next = nextSort(sort, column);
  const Arrow = sort?.descending === true ? IconArrowDown : IconArrowUp;
  return (
    <button
      type="button"
      className={classes.sort}
      tabIndex={isStop ? 0 : -1}
      data-on={sort?.by === column || undefined}
      data-tip={next === null ? 'Back to the newest records' : `Sort by ${sortWords(next)}`}
      onFocus={onFocus}
      onClick={() => onSort(next)}
    >
      <span data-word={column === 'status' || undefined}>{label}</span>
      {sort?.by === column && <Arrow size={12} aria-hidden />}
    </button>
  );
}
