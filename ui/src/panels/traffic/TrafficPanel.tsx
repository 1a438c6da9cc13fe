import { Text } from '@mantine/core';
import { IconLayoutSidebarRight, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { type ReactNode, Suspense, lazy, useCallback, useEffect, useRef, useState } from 'react';
import { Group as PanelGroup, Panel, Separator } from 'react-resizable-panels';
import type { Seq, TrafficFilter } from '../../contract/generated/contract';
import { useModel, useServer, useUi, useWorkspace } from '../../model/context';
import { formatCount } from '../../model/format';
import { KIND_GROUPS, toggleKinds } from '../../model/kinds';
import type { TrafficView as SavedView } from '../../model/uiState';
import { useLayout } from '../../model/useLayout';
import { useRowSelection } from '../../model/useRowSelection';
import { useTrafficView } from '../../model/useTrafficView';
import { CommandAlert } from '../../widgets/CommandAlert';
import { EmptyState } from '../../widgets/EmptyState';
import { FilterInput } from '../../widgets/FilterInput';
import { IconButton } from '../../widgets/IconButton';
import { ScopeSwitch } from '../../widgets/ScopeSwitch';
import { ToolGroup, Toolbar } from '../../widgets/Toolbar';
import { VirtualRows } from '../../widgets/VirtualRows';
import { ClearButton } from './ClearButton';
import classes from './TrafficPanel.module.css';
import { TrafficHead, TrafficRow, UnknownRow } from './TrafficRow';

const ROW_HEIGHT = 24;

// Brings the code viewer along, which the first paint does not need.
const TrafficDetail = lazy(async () => ({ default: (await import('./TrafficDetail')).TrafficDetail }));

/** The live log of everything that crosses, and the record selected in it. */
export function TrafficPanel({ lead, trail }: { lead: ReactNode; trail: ReactNode }) {
  const { ui, workspace } = useModel();
  const saved = useUi((state) => state.traffic);
  const serverId = useUi((state) => state.selectedServer);
  const server = useServer(serverId);
  const wish = useWorkspace((state) => state.reveal);
  const scoped = saved.oneServer && server !== undefined;
  const filter: TrafficFilter = {
    serverId: scoped ? server.id : null,
    kinds: saved.kinds,
    text: saved.text === '' ? null : saved.text,
  };
  const view = useTrafficView(filter);
  const selection = useRowSelection(view);
  const [follow, setFollow] = useState(true);
  const layout = useLayout('traffic', ['list', 'detail']);
  const isFiltered = saved.kinds.length > 0 || saved.text !== '';

  const save = (part: Partial<SavedView>): void =>
    ui.setState(({ traffic }) => ({ traffic: { ...traffic, ...part } }));

  // What is in view may have to be pulled again when changes were missed, not only when it comes into view.
  const range = useRef({ first: 0, last: -1 });
  const { want, version } = view;
  const onRange = useCallback(
    (first: number, last: number) => {
      range.current = { first, last };
      want(first, last);
    },
    [want],
  );
  useEffect(() => want(range.current.first, range.current.last), [want, version]);

  function show(seq: Seq): void {
    setFollow(false);
    save({ detailOpen: true });
    void selection.selectSeq(seq).then((found) => {
      // What was asked for is hidden by the filter: the wish is newer than the filter.
      if (!found) {
        setHidden(seq);
        save({ kinds: [], text: '', oneServer: false });
      }
    });
  }

  // A record to be shown as soon as the filter that hid it is gone.
  const [hidden, setHidden] = useState<Seq | null>(null);
  const { selectSeq } = selection;
  const isOpen = view.filter.kinds.length === 0 && view.filter.text === null && view.filter.serverId === null;
  useEffect(() => {
    if (hidden === null || !isOpen) return;
    setHidden(null);
    void selectSeq(hidden);
    // oxlint-disable-next-line react/exhaustive-deps -- a wish is granted once
  }, [hidden, isOpen]);

  // Granted once each, also one that came before this panel was there.
  useEffect(() => {
    if (wish === null) return;
    workspace.setState({ reveal: null });
    show(wish.seq);
    // oxlint-disable-next-line react/exhaustive-deps -- a wish is granted once
  }, [wish]);

  const selectedRow = selection.index === null ? undefined : view.row(selection.index);
  const pairSeq = selectedRow?.pairSeq ?? null;
  const detailOpen = saved.detailOpen && selection.seq !== null;

  const list = (
    <div className={classes.list}>
      <TrafficHead showServer={!scoped} />
      <div className={classes.rows}>
        <VirtualRows
          label="Traffic"
          count={view.total}
          rowHeight={ROW_HEIGHT}
          era={view.era}
          onRange={onRange}
          selected={selection.index}
          onSelect={(index) => {
            selection.select(index);
            if (!saved.detailOpen) save({ detailOpen: true });
          }}
          onOpen={() => save({ detailOpen: true })}
          onEscape={() => selection.select(null)}
          follow={follow && !view.paused}
          onFollow={setFollow}
          reveal={selection.reveal}
          empty={
            view.ready && (
              <NoTraffic isFiltered={isFiltered} onShowAll={() => save({ kinds: [], text: '' })} />
            )
          }
        >
          {(index) => {
            const row = view.row(index);
            if (row === undefined) return <UnknownRow />;
            return <TrafficRow row={row} showServer={!scoped} isPair={row.seq === pairSeq} />;
          }}
        </VirtualRows>
      </div>
    </div>
  );

  return (
    <section className={classes.panel} aria-label="Traffic" data-filter-scope>
      <Toolbar label="Traffic">
        {lead}
        <ScopeSwitch
          serverName={server?.draft.name}
          oneServer={saved.oneServer}
          onChange={(oneServer) => save({ oneServer })}
        />
        <ToolGroup label="Kinds of records">
          <button
            type="button"
            className={classes.toggle}
            aria-pressed={saved.kinds.length === 0}
            onClick={() => save({ kinds: [] })}
          >
            All
          </button>
          {KIND_GROUPS.map(({ label, kinds }) => (
            <button
              key={label}
              type="button"
              className={classes.toggle}
              aria-pressed={kinds.every((kind) => saved.kinds.includes(kind))}
              onClick={() => save({ kinds: toggleKinds(saved.kinds, kinds) })}
            >
              {label}
            </button>
          ))}
        </ToolGroup>
        <FilterInput
          label="Filter by text"
          value={saved.text}
          delayMs={150}
          width={200}
          onChange={(text) => save({ text })}
        />
        <Text
          span
          size="xs"
          c="dimmed"
          className="pb-num"
          ml="auto"
          aria-live="off"
          data-testid="traffic-count"
        >
          {formatCount(view.total, 'record', 'records')}
          {view.paused && ` · paused, ${formatCount(view.arrived)} new`}
        </Text>
        <ToolGroup label="Actions">
          <IconButton
            icon={view.paused ? IconPlayerPlay : IconPlayerPause}
            label={view.paused ? 'Go on showing new records' : 'Pause: keep what is shown; recording goes on'}
            pressed={view.paused}
            onClick={() => view.setPaused(!view.paused)}
          />
          <ClearButton server={scoped ? server : null} shown={view.total} isFiltered={isFiltered} />
          <IconButton
            icon={IconLayoutSidebarRight}
            label="Details of the selected record"
            pressed={saved.detailOpen}
            onClick={() => save({ detailOpen: !saved.detailOpen })}
          />
        </ToolGroup>
        {trail}
      </Toolbar>
      {view.storeProblem !== null && (
        <CommandAlert
          error={{
            code: 'storage',
            message: `Records cannot be written at present: ${view.storeProblem}`,
            detail: null,
          }}
        />
      )}
      {view.error !== null && (
        <CommandAlert error={view.error}>
          <button type="button" className={classes.link} onClick={() => view.retry()}>
            Try again
          </button>
        </CommandAlert>
      )}
      <div className={classes.body}>
        <PanelGroup orientation="horizontal" {...layout}>
          <Panel id="list" minSize="320px">
            {list}
          </Panel>
          {detailOpen && (
            <>
              <Separator className="pb-separator" />
              <Panel id="detail" defaultSize="38%" minSize="260px">
                <Suspense>
                  <TrafficDetail
                    seq={selection.seq}
                    row={selectedRow}
                    form={saved.detailForm}
                    onForm={(detailForm) => save({ detailForm })}
                    onShow={show}
                    onClose={() => save({ detailOpen: false })}
                  />
                </Suspense>
              </Panel>
            </>
          )}
        </PanelGroup>
      </div>
    </section>
  );
}

function NoTraffic({ isFiltered, onShowAll }: { isFiltered: boolean; onShowAll: () => void }) {
  if (isFiltered) {
    return (
      <EmptyState title="No record matches the filter">
        <button type="button" className={classes.link} onClick={onShowAll}>
          Show all records
        </button>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No traffic yet"
      text="Every message, stderr line and stray byte between Patchbay and your servers is recorded and shown here. Connect a server to see it."
    />
  );
}
