import { IconLayoutSidebarRight } from '@tabler/icons-react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { Group as PanelGroup, Panel, Separator } from 'react-resizable-panels';
import type { CommandError, Seq } from '../../contract/generated';
import { commandError } from '../../model/store/errors';
import { useModel, useServerName, useUi, useWorkspace } from '../../model/workspace/context';
import type { TrafficView as SavedView } from '../../model/workspace/uiState';
import { useLayout } from '../../model/workspace/useLayout';
import { columnStyle } from '../../model/traffic/view/columns';
import { queryOf, showing } from '../../model/traffic/view/hiding';
import type { Sort } from '../../model/traffic/view/sorting';
import { useSorted } from '../../model/traffic/view/useSorted';
import { useTimeline } from '../../model/traffic/view/useTimeline';
import { FILTER_TERMS } from '../../model/traffic/view/filterTerms';
import { wireFilter } from '../../model/traffic/filterText';
import { useRowRange } from '../../model/traffic/useRowRange';
import { useRowSelection, useSelectedRow } from '../../model/traffic/useRowSelection';
import { type TrafficView, useHasRows, useTrafficView } from '../../model/traffic/useTrafficView';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import { EmptyState } from '../../widgets/layout/EmptyState';
import { FilterInput } from '../../widgets/controls/FilterInput';
import { IconButton } from '../../widgets/controls/IconButton';
import { LogCount } from '../../widgets/rows/LogCount';
import { LogProblems } from '../../widgets/rows/LogProblems';
import { LogRows } from '../../widgets/rows/LogRows';
import { NoMatches } from '../../widgets/rows/NoMatches';
import { PauseButton } from '../../widgets/rows/PauseButton';
import { ScopeSwitch } from '../../widgets/controls/ScopeSwitch';
import { PartBoundary } from '../../widgets/failure/PartBoundary';
import { useListFocus } from '../../widgets/focus/listFocus';
import { Bar, BarEnd, BarGroup } from '../../widgets/layout/Bar';
import { Pane } from '../../widgets/layout/Pane';
import { lazyPart } from '../../widgets/failure/lazyPart';
import { KindToggles } from './KindToggles';
import { ClearButton } from './log/ClearButton';
import { ColumnMenu } from './log/ColumnMenu';
import { LogMenu } from './log/LogMenu';
import { SortStrip } from './log/SortStrip';
import classes from './TrafficPanel.module.css';
import { TrafficHead } from '../../widgets/traffic/TrafficHead';
import { TrafficRow, UnknownRow } from '../../widgets/traffic/TrafficRow';

// Includes the code viewer, which the first paint does not need.
const TrafficDetail = lazyPart(async () => (await import('./TrafficDetail')).TrafficDetail);

/** A record that a link leads to and that is not shown yet. */
interface HiddenRecord {
  seq: Seq;
  /** Whether nothing else was selected since. */
  isLatest: () => boolean;
  /** The filter of the rows that it waits for, which shows it; null: it waits for the rows to be unsorted. */
  filter: string | null;
}

/** The live log of all traffic, and the selected record. */
export function TrafficPanel({ lead, trail }: { lead: ReactNode; trail: ReactNode }) {
  const { host, ui, workspace } = useModel();
  const saved = useUi((state) => state.traffic);
  const serverId = useUi((state) => state.selectedServer);
  const serverName = useServerName(serverId);
  const revealRequest = useWorkspace((state) => state.revealRequest);
  const scoped = saved.oneServer && serverName !== undefined;
  const [sort, setSort] = useState<Sort | null>(null);
  const scope = serverName === undefined ? null : serverId;
  const live = useTrafficView(queryOf(saved, scope));
  const sorted = useSorted(live, sort);
  const view = sorted?.view ?? live;
  const isSorted = view !== live;
  const selection = useRowSelection(view);
  const records = useRowRange(view, selection);
  const layout = useLayout('traffic', ['list', 'detail']);
  const isFiltered = saved.filter.trim() !== '';
  const { timeline, onShown } = useTimeline(saved.timeline, view);

  const save = (part: Partial<SavedView>): void =>
    ui.setState(({ traffic }) => ({ traffic: { ...traffic, ...part } }));

  // Why the record that a link leads to cannot be shown.
  const [unshown, setUnshown] = useState<CommandError | null>(null);

  function show(seq: Seq): void {
    setUnshown(null);
    find(seq).catch((thrown: unknown) => setUnshown(commandError(thrown)));
  }

  async function find(seq: Seq): Promise<void> {
    const found = await selection.selectSeq(seq);
    if (found === null) return;
    const isLatest = selection.watch();
    const isThere = found || (await host.call('traffic_locate', { filter: '', seq })).index !== null;
    if (!isLatest()) return;
    // No other filter would show it: the view stays as it is.
    if (!isThere) {
      setUnshown({
        code: 'notFound',
        message: `Record #${seq} is not in the traffic log; it may have been cleared, or removed by the limits of the log.`,
        detail: null,
      });
      return;
    }
    save({ detailOpen: true });
    if (found) return;
    // It is not among the sorted records, or the view hides it: the request is newer than these.
    if (sort === null) return lift(seq, isLatest);
    setHidden({ seq, isLatest, filter: null });
    setSort(null);
  }

  /** Changes what hides a record, and nothing else. */
  async function lift(seq: Seq, isLatest: () => boolean): Promise<void> {
    const shown = await showing(host, ui.getState().traffic, scope, seq);
    if (!isLatest()) return;
    setHidden({ seq, isLatest, filter: wireFilter(queryOf(shown, scope)) });
    save(shown);
  }

  // A record to show once nothing hides it, unless something else is selected until then.
  const [hidden, setHidden] = useState<HiddenRecord | null>(null);
  const { selectSeq, watch } = selection;
  const canShow = hidden?.filter === null ? !isSorted : view.filter === hidden?.filter;
  useEffect(() => {
    if (hidden === null || !canShow) return;
    setHidden(null);
    if (!hidden.isLatest()) return;
    selectSeq(hidden.seq)
      .then((found) => (found === false && hidden.filter === null ? lift(hidden.seq, watch()) : undefined))
      .catch((thrown: unknown) => setUnshown(commandError(thrown)));
    // oxlint-disable-next-line react/exhaustive-deps -- only a new request shows anything
  }, [hidden, canShow]);

  // Each request once, also one from before this panel was mounted.
  useEffect(() => {
    if (revealRequest === null) return;
    workspace.setState({ revealRequest: null });
    show(revealRequest.seq);
    // oxlint-disable-next-line react/exhaustive-deps -- only a new request shows anything
  }, [revealRequest]);

  const hasRows = useHasRows(live);
  useEffect(() => {
    if (hasRows) void TrafficDetail.preload();
  }, [hasRows]);

  const selectedRow = useSelectedRow(view, selection);
  const pairSeq = selectedRow?.pairSeq ?? null;
  const detailOpen = saved.detailOpen && selection.seq !== null;

  const rowsKey = isSorted ? view.generation : 'live';
  const rowsPlace = useListFocus(rowsKey);

  const list = (
    <div
      className={classes.list}
      style={columnStyle(saved.columnWidths)}
      data-columns
      aria-busy={live.isLoading || undefined}
      data-hidden={saved.hiddenColumns.join(' ')}
    >
      <TrafficHead
        showServer={!scoped}
        sort={sort}
        onSort={setSort}
        timeline={timeline}
        widths={saved.columnWidths}
        onWidth={({ id }, px) => {
          const { [id]: _, ...others } = saved.columnWidths;
          save({ columnWidths: px === null ? others : { ...others, [id]: px } });
        }}
      />
      {sorted !== null && <SortStrip sorted={sorted} live={live} onEnd={() => setSort(null)} />}
      <div className={classes.rows} {...rowsPlace}>
        <LogRows
          // Other rows: from their beginning, or from the newest.
          key={rowsKey}
          isFixed={isSorted}
          label="Traffic"
          view={view}
          selection={selection}
          selectedTo={records.anchor}
          rowSize="row-dense"
          onSelect={(index, extend) => {
            records.select(index, extend);
            if (!saved.detailOpen) save({ detailOpen: true });
          }}
          onOpen={() => save({ detailOpen: true })}
          onShown={onShown}
          empty={<NoTraffic view={live} isFiltered={isFiltered} onClear={() => save({ filter: '' })} />}
        >
          {(row) =>
            row === undefined ? (
              <UnknownRow />
            ) : (
              <TrafficRow row={row} showServer={!scoped} isPair={row.seq === pairSeq} timeline={timeline} />
            )
          }
        </LogRows>
      </div>
    </div>
  );

  return (
    <Pane label="Traffic" hasFilter>
      <Bar label="Traffic">
        {lead}
        <ScopeSwitch
          serverName={serverName}
          oneServer={saved.oneServer}
          onChange={(oneServer) => save({ oneServer })}
        />
        <KindToggles filter={saved.filter} onChange={(filter) => save({ filter })} />
        <FilterInput
          label="Filter records"
          value={saved.filter}
          problem={live.problem}
          delayMs={150}
          width={280}
          terms={FILTER_TERMS}
          onChange={(filter) => save({ filter })}
        />
        <BarEnd>
          <LogCount view={live} noun="record" />
          <BarGroup label="Actions">
            <PauseButton view={live} selection={selection} />
            <ColumnMenu saved={saved} onChange={save} />
            <LogMenu
              view={view}
              live={live}
              isSorted={isSorted}
              range={records.range}
              isPart={isFiltered || scoped || saved.oneRow}
            />
            <ClearButton serverId={scoped ? serverId : null} serverName={serverName} view={live} />
            <IconButton
              icon={IconLayoutSidebarRight}
              label="Details"
              pressed={saved.detailOpen}
              onClick={() => save({ detailOpen: !saved.detailOpen })}
            />
          </BarGroup>
          {trail}
        </BarEnd>
      </Bar>
      {unshown !== null && <CommandAlert error={unshown} inPane onClose={() => setUnshown(null)} />}
      <LogProblems view={view} />
      <div className={classes.body}>
        <PanelGroup orientation="horizontal" {...layout}>
          <Panel id="list" minSize="320px">
            {list}
          </Panel>
          {detailOpen && (
            <>
              <Separator className="pb-separator" />
              <Panel id="detail" defaultSize="38%" minSize="260px">
                <PartBoundary resetKey={selection.seq ?? ''}>
                  <Suspense>
                    <TrafficDetail
                      seq={selection.seq}
                      row={selectedRow}
                      log={view.log}
                      form={saved.detailForm}
                      onForm={(detailForm) => save({ detailForm })}
                      onFilter={(change) => save({ filter: change(saved.filter) })}
                      onShow={show}
                      onClose={() => save({ detailOpen: false })}
                    />
                  </Suspense>
                </PartBoundary>
              </Panel>
            </>
          )}
        </PanelGroup>
      </div>
    </Pane>
  );
}

interface NoTrafficProps {
  view: TrafficView;
  isFiltered: boolean;
  onClear: () => void;
}

function NoTraffic({ view, isFiltered, onClear }: NoTrafficProps) {
  if (isFiltered) return <NoMatches view={view} noun="records" onClear={onClear} />;
  return (
    <EmptyState
      title="No traffic yet"
      text="Connect a server: every message, stderr line and stray byte between it and Patchbay is recorded here."
    />
  );
}
