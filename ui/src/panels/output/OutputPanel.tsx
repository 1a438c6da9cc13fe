import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { type ReactNode, Suspense, memo } from 'react';
import { Group as PanelGroup, Panel, Separator } from 'react-resizable-panels';
import type { TrafficFilter, TrafficRow } from '../../contract/generated';
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

/** What servers write to stderr, line by line. Rows hold the beginning of a line; the selected one is shown whole. */
export function OutputPanel({ lead, trail }: { lead: ReactNode; trail: ReactNode }) {
  const { ui } = useModel();
  const saved = useUi((state) => state.output);
  const serverId = useUi((state) => state.selectedServer);
  const serverName = useServerName(serverId);
  const scoped = saved.oneServer && serverName !== undefined;
  const filter: TrafficFilter = {
    serverId: scoped ? serverId : null,
    kinds: ['stderr', 'gap'],
    text: saved.text === '' ? null : saved.text,
  };
  const view = useTrafficView(filter);
  const selection = useRowSelection(view);
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
          label="Filter by text"
          value={saved.text}
          delayMs={150}
          width={200}
          onChange={(text) => ui.setState(({ output }) => ({ output: { ...output, text } }))}
        />
        {serverId !== null && serverName !== undefined && <LogLevel key={serverId} serverId={serverId} />}
        <LogCount view={view} noun="line" />
        <IconButton
          icon={view.paused ? IconPlayerPlay : IconPlayerPause}
          label={view.paused ? 'Go on showing new lines' : 'Pause: keep what is shown; recording goes on'}
          pressed={view.paused}
          onClick={() => view.setPaused(!view.paused)}
        />
        {trail}
      </Bar>
      {view.error !== null && <CommandAlert error={view.error} />}
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
                  <EmptyState
                    title={saved.text === '' ? 'No output' : 'No line matches the filter'}
                    text={
                      saved.text === ''
                        ? 'What a server writes to stderr appears here, line by line, as it comes.'
                        : undefined
                    }
                  />
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
  /** Whether the list holds several servers. */
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
