import { Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { type ReactNode, Suspense, lazy, useCallback, useEffect, useRef, useState } from 'react';
import { Group as PanelGroup, Panel, Separator } from 'react-resizable-panels';
import type { TrafficFilter, TrafficRow } from '../../contract/generated/contract';
import { useModel, useServer, useUi } from '../../model/context';
import { formatCount, formatTime } from '../../model/format';
import { useLayout } from '../../model/useLayout';
import { useRecord } from '../../model/useRecord';
import { useRowSelection } from '../../model/useRowSelection';
import { useTrafficView } from '../../model/useTrafficView';
import { CommandAlert } from '../../widgets/CommandAlert';
import { EmptyState } from '../../widgets/EmptyState';
import { FilterInput } from '../../widgets/FilterInput';
import { IconButton } from '../../widgets/IconButton';
import { ScopeSwitch } from '../../widgets/ScopeSwitch';
import { Toolbar } from '../../widgets/Toolbar';
import { VirtualRows } from '../../widgets/VirtualRows';
import classes from './OutputPanel.module.css';

const ROW_HEIGHT = 20;

// The first paint does not need the code viewer.
const CodeView = lazy(async () => ({ default: (await import('../../widgets/CodeView')).CodeView }));

/** What servers write to stderr, line by line. Rows hold the beginning of a line; the selected one is shown whole. */
export function OutputPanel({ lead, trail }: { lead: ReactNode; trail: ReactNode }) {
  const { ui } = useModel();
  const saved = useUi((state) => state.output);
  const serverId = useUi((state) => state.selectedServer);
  const server = useServer(serverId);
  const scoped = saved.oneServer && server !== undefined;
  const filter: TrafficFilter = {
    serverId: scoped ? server.id : null,
    kinds: ['stderr', 'gap'],
    text: saved.text === '' ? null : saved.text,
  };
  const view = useTrafficView(filter);
  const selection = useRowSelection(view);
  const { record } = useRecord(selection.seq, '');
  const [follow, setFollow] = useState(true);
  const layout = useLayout('output', ['lines', 'line']);

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

  return (
    <section className={classes.panel} aria-label="Server output" data-filter-scope>
      <Toolbar label="Server output">
        {lead}
        <ScopeSwitch
          serverName={server?.draft.name}
          oneServer={saved.oneServer}
          onChange={(oneServer) => ui.setState(({ output }) => ({ output: { ...output, oneServer } }))}
        />
        <FilterInput
          label="Filter by text"
          value={saved.text}
          delayMs={150}
          width={200}
          onChange={(text) => ui.setState(({ output }) => ({ output: { ...output, text } }))}
        />
        <Text span size="xs" c="dimmed" className="pb-num" ml="auto">
          {formatCount(view.total, 'line', 'lines')}
          {view.paused && ` · paused, ${formatCount(view.arrived)} new`}
        </Text>
        <IconButton
          icon={view.paused ? IconPlayerPlay : IconPlayerPause}
          label={view.paused ? 'Go on showing new lines' : 'Pause: keep what is shown; recording goes on'}
          pressed={view.paused}
          onClick={() => view.setPaused(!view.paused)}
        />
        {trail}
      </Toolbar>
      {view.error !== null && <CommandAlert error={view.error} />}
      <div className={classes.body}>
        <PanelGroup orientation="horizontal" {...layout}>
          <Panel id="lines" minSize="320px">
            <div className={classes.rows}>
              <VirtualRows
                label="Server output"
                count={view.total}
                rowHeight={ROW_HEIGHT}
                era={view.era}
                onRange={onRange}
                selected={selection.index}
                onSelect={selection.select}
                onEscape={() => selection.select(null)}
                follow={follow && !view.paused}
                onFollow={setFollow}
                reveal={selection.reveal}
                empty={
                  view.ready && (
                    <EmptyState
                      title={saved.text === '' ? 'No output' : 'No line matches the filter'}
                      text={
                        saved.text === ''
                          ? 'What a server writes to stderr appears here, line by line, as it comes.'
                          : undefined
                      }
                    />
                  )
                }
              >
                {(index) => <OutputRow row={view.row(index)} showServer={!scoped} />}
              </VirtualRows>
            </div>
          </Panel>
          {record !== undefined && selection.seq !== null && (
            <>
              <Separator className="pb-separator" />
              <Panel id="line" defaultSize="38%" minSize="200px">
                <section className={classes.detail} aria-label="Line">
                  <Suspense>
                    <CodeView
                      key={record.row.seq}
                      body={record.raw}
                      form="raw"
                      height="fill"
                      label={`Line ${record.row.seq}`}
                    />
                  </Suspense>
                </section>
              </Panel>
            </>
          )}
        </PanelGroup>
      </div>
    </section>
  );
}

function OutputRow({ row, showServer }: { row: TrafficRow | undefined; showServer: boolean }) {
  if (row === undefined) return <div className={classes.row}>…</div>;
  return (
    <div className={classes.row}>
      <span className={classes.time}>{formatTime(row.atMs)}</span>
      {showServer && <span className={`${classes.server} pb-ellipsis`}>{row.serverName}</span>}
      <span className={`${classes.line} ${row.kind === 'gap' ? classes.gap : ''}`}>{row.summary}</span>
    </div>
  );
}
