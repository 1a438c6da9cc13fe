import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import type { TrafficRow } from '../../contract/generated';
import type { RowSelection } from '../../model/traffic/useRowSelection';
import { type TrafficView, useRowCount } from '../../model/traffic/useTrafficView';
import { type RowSize, VirtualRows } from './VirtualRows';

interface LogRowsProps {
  label: string;
  view: TrafficView;
  selection: RowSelection;
  rowSize: RowSize;
  /** The other end of the selection, in a log that can select several rows. */
  selectedTo?: number | null;
  onSelect?: (index: number, extend: boolean) => void;
  onOpen?: () => void;
  /** Called with the rows in view, when they or what is known of them changes. */
  onShown?: ((first: number, last: number) => void) | undefined;
  /** Whether no rows are added: there is no end to follow. */
  isFixed?: boolean;
  /** Shown when the log is known to have no rows. */
  empty: ReactNode;
  /** Renders one row, undefined while it loads. */
  children: (row: TrafficRow | undefined) => ReactNode;
}

/** The rows of a view of the traffic log. Renders with every change of the log; its parent does not. */
export function LogRows({
  view,
  selection,
  empty,
  children,
  onShown,
  isFixed = false,
  ...rest
}: LogRowsProps) {
  const { log } = view;
  const { total, appended, version } = useRowCount(view);
  const { noteFirst } = selection;

  const visible = useRef({ first: 0, last: -1 });
  const onVisible = useCallback(
    (first: number, last: number) => {
      visible.current = { first, last };
      noteFirst(first);
      onShown?.(first, last);
    },
    [onShown, noteFirst],
  );
  // What is known of them has changed.
  useLayoutEffect(() => {
    noteFirst(visible.current.first);
    onShown?.(visible.current.first, visible.current.last);
  }, [onShown, noteFirst, version]);

  // Visible rows are pulled again when changes were missed, not only when they become visible.
  const range = useRef({ first: 0, last: -1 });
  const onRange = useCallback(
    (first: number, last: number) => {
      range.current = { first, last };
      log.want(first, last);
    },
    [log],
  );
  useEffect(() => log.want(range.current.first, range.current.last), [log, version]);

  return (
    <VirtualRows
      {...rest}
      count={total}
      appended={appended}
      generation={view.generation}
      onRange={onRange}
      onVisible={onVisible}
      selected={selection.index}
      onSelect={rest.onSelect ?? selection.select}
      onEscape={() => selection.select(null)}
      follow={selection.follow && !view.paused && !isFixed}
      onFollow={isFixed ? undefined : selection.setFollow}
      reveal={selection.reveal}
      empty={view.ready && empty}
    >
      {(index) => children(log.row(index))}
    </VirtualRows>
  );
}
