import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { type ReactNode, Suspense, memo } from 'react';
import { Group as PanelGroup, Panel, Separator } from 'react-resizable-panels';
import type { TrafficRow } from '../../contract/generated';
import { useModel, useServerName, useUi } from '../../model/workspace/context';
import { formatTime } from '../../model/text/format';
import { useLayout } from '../../model/workspace/useLayout';
import { useRecord } from '../../model/traffic/useRecord';
import { useRowSelection } from '../../model/traffic/useRowSelection';
import { useTrafficView } from '../../model/traffic/useTrafficView';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import { EmptyState } from '../../widgets/layout/EmptyState';
import { FilterInput } from '../../widgets/controls/FilterInput';
import { IconButton } from '../../widgets/controls/IconButton';
import { LinkButton } from '../../widgets/links/LinkButton';
import { LogCount } from '../../widgets/rows/LogCount';
import { LogRows } from '../../widgets/rows/LogRows';
import { ScopeSwitch } from '../../widgets/controls/ScopeSwitch';
import { PartBoundary } from '../../widgets/failure/PartBoundary';
import { Bar } from '../../widgets/layout/Bar';
import { Pane } from '../../widgets/layout/Pane';
import { lazyPart } from '../../widgets/failure/lazyPart';
import { LogLevel } from './LogLevel';
import classes from './OutputPanel.module.css';

const ROW_HEIGHT = 20;

// The first paint does not need the code viewer.
const CodeView = lazyPart(async () => (await import('../../widgets/code/CodeView')).CodeView);

/** The lines servers write to stderr. A row shows the beginning of a line, the detail pane all of it. */
export function OutputPanel({ lead, trail }: { lead: ReactNode; trail: ReactNode }) {
  const { ui } = useModel();
  const saved = useUi((state) => state.output);
  const serverId = useUi((state) => state.selectedServer);
  const serverName = useServerName(serverId);
  const scoped = saved.oneServer && serverName !== undefined;
  const view = useTrafficView({
    text: saved.filter,
    serverId: scoped ? serverId : null,
    kinds: ['stderr', 'gap'],
  });
  const selection = useRowSelection(view);
  const setFilter = (filter: string): void =>
    ui.setState(({ output }) => ({ output: { ...output, filter } }));
  const { record } = useRecord(selection.seq, '');
  const layout = useLayout('output', ['lines', 'line']);

  return (
    <Pane label="Server output" hasFilter>
      <Bar label="Server output">
        {lead}
        <ScopeSwitch
          serverName={serverName}
          oneServer={saved.oneServer}
          onChange={(oneServer) => ui.setState(({ output }) => ({ output: { ...output, oneServer } }))}
        />
        <FilterInput
          label="Filter lines"
          value={saved.filter}
          problem={view.problem}
          delayMs={150}
          width={240}
          onChange={setFilter}
        />
        {serverId !== null && serverName !== undefined && <LogLevel key={serverId} serverId={serverId} />}
        <LogCount view={view} noun="line" />
        <IconButton
          icon={view.paused ? IconPlayerPlay : IconPlayerPause}
          label={view.paused ? 'Resume' : 'Pause view (recording continues)'}
          pressed={view.paused}
          onClick={() => view.setPaused(!view.paused)}
        />
        {trail}
      </Bar>
      {view.error !== null && <CommandAlert error={view.error} inPane />}
      <div className={classes.body}>
        <PanelGroup orientation="horizontal" {...layout}>
          <Panel id="lines" minSize="320px">
            <div className={classes.rows}>
              <LogRows
                label="Server output"
                view={view}
                selection={selection}
                rowHeight={ROW_HEIGHT}
                empty={
                  saved.filter === '' ? (
                    <EmptyState
                      title="No output yet"
                      text="Lines that servers write to stderr appear here as they are written."
                    />
                  ) : (
                    <EmptyState title="No matching lines">
                      <LinkButton onClick={() => setFilter('')}>Clear filter</LinkButton>
                    </EmptyState>
                  )
                }
              >
                {(row) => <OutputRow row={row} showServer={!scoped} />}
              </LogRows>
            </div>
          </Panel>
          {record !== undefined && selection.seq !== null && (
            <>
              <Separator className="pb-separator" />
              <Panel id="line" defaultSize="38%" minSize="200px">
                <section className={classes.detail} aria-label="Line">
                  <PartBoundary resetKey={record.row.seq}>
                    <Suspense>
                      <CodeView
                        key={record.row.seq}
                        body={record.raw}
                        form="raw"
                        height="fill"
                        label={`Line ${record.row.seq}`}
                      />
                    </Suspense>
                  </PartBoundary>
                </section>
              </Panel>
            </>
          )}
        </PanelGroup>
      </div>
    </Pane>
  );
}

interface OutputRowProps {
  row: TrafficRow | undefined;
  /** Whether the list shows several servers. */
  showServer: boolean;
}

const OutputRow = memo(function OutputRow({ row, showServer }: OutputRowProps) {
  if (row === undefined) return <div className={classes.row}>…</div>;
  return (
    <div className={classes.row}>
      <span className={classes.time}>{formatTime(row.atMs)}</span>
      {showServer && <span className={`${classes.server} pb-ellipsis`}>{row.serverName}</span>}
      <span className={`${classes.line} ${row.kind === 'gap' ? classes.gap : ''}`}>{row.summary}</span>
    </div>
  );
});
