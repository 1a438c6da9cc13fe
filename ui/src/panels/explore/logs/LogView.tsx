import { Autocomplete } from '@mantine/core';
import { IconClearAll } from '@tabler/icons-react';
import { type ReactNode, Suspense, useState } from 'react';
import { useDebouncedCallback } from '@mantine/hooks';
import { Group as PanelGroup, Panel, Separator } from 'react-resizable-panels';
import type { ServerId } from '../../../contract/generated';
import { lazyPart } from '../../../widgets/failure/lazyPart';
import { loggersIn } from '../../../model/traffic/logLines';
import { type LogFilter, type LogSource, isLogFiltered, logTerms } from '../../../model/traffic/logQuery';
import { useKeptSelection, useLogPlace } from '../../../model/traffic/useLogPlace';
import { useRowRange } from '../../../model/traffic/useRowRange';
import { useRowSelection } from '../../../model/traffic/useRowSelection';
import { type TrafficView, useTrafficView } from '../../../model/traffic/useTrafficView';
import { useLayout } from '../../../model/workspace/useLayout';
import { FilterInput } from '../../../widgets/controls/FilterInput';
import { IconButton } from '../../../widgets/controls/IconButton';
import { Segments } from '../../../widgets/controls/Segments';
import { PartBoundary } from '../../../widgets/failure/PartBoundary';
import { Bar, BarEnd, BarGroup } from '../../../widgets/layout/Bar';
import { Pane } from '../../../widgets/layout/Pane';
import { withListFocus } from '../../../widgets/focus/listFocus';
import { LinkButton } from '../../../widgets/links/LinkButton';
import { LogCount } from '../../../widgets/rows/LogCount';
import { LogProblems } from '../../../widgets/rows/LogProblems';
import { LogRows } from '../../../widgets/rows/LogRows';
import { NoMatches } from '../../../widgets/rows/NoMatches';
import { PauseButton } from '../../../widgets/rows/PauseButton';
import { CopyLines } from './CopyLines';
import { LevelMenu } from './LevelMenu';
import { LogRow } from './LogRow';
import classes from './logs.module.css';

const SOURCES: readonly { value: LogSource; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'messages', label: 'Messages' },
  { value: 'stderr', label: 'stderr' },
];
const UNFILTERED = { hiddenLevels: [], logger: '', text: '' };

// The list does not need the code viewer.
const LogDetail = lazyPart(async () => (await import('./LogDetail')).LogDetail);

interface LogViewProps {
  /** Distinguishes this view from others: what it keeps while another tab is open. */
  id: string;
  label: string;
  /** Only lines of this server; null: of all. */
  serverId: ServerId | null;
  filter: LogFilter;
  onFilter: (part: Partial<LogFilter>) => void;
  /** First in the bar. */
  lead?: ReactNode;
  /** Last in the bar. */
  trail?: ReactNode;
  /** Shown when there is no line, and no filter that could hide one. */
  empty: ReactNode;
}

/** Log messages and lines of stderr as one list, in the order in which they were recorded, and the selected line. */
export function LogView({ id, label, serverId, filter, onFilter, lead, trail, empty }: LogViewProps) {
  const place = useLogPlace(id);
  const view = useTrafficView({ text: filter.text, serverId, terms: logTerms(filter, place.after) });
  const selection = useRowSelection(view);
  useKeptSelection(id, selection);
  const lines = useRowRange(view, selection);
  const layout = useLayout('logs', ['lines', 'line']);
  const hasMessages = filter.source !== 'stderr';

  function clear(): void {
    const newest = view.log.row(view.log.total - 1);
    if (newest !== undefined) place.save({ after: newest.seq });
  }

  return (
    <Pane label={label} hasFilter>
      <Bar label={label}>
        {lead}
        <Segments
          label="Lines shown"
          value={filter.source}
          onChange={(source) => onFilter({ source })}
          segments={SOURCES}
        />
        {hasMessages && (
          <>
            <LevelMenu
              hiddenLevels={filter.hiddenLevels}
              onChange={(hiddenLevels) => onFilter({ hiddenLevels })}
            />
            <LoggerInput view={view} value={filter.logger} onChange={(logger) => onFilter({ logger })} />
          </>
        )}
        <FilterInput
          label="Search logs"
          value={filter.text}
          problem={view.problem}
          delayMs={150}
          width={200}
          onChange={(text) => onFilter({ text })}
        />
        <BarEnd>
          <LogCount view={view} noun="line" />
          <BarGroup label="Actions">
            <CopyLines view={view} range={lines.range} />
            <PauseButton view={view} selection={selection} />
            <IconButton
              icon={IconClearAll}
              label="Clear view (the records stay in Traffic)"
              onClick={clear}
            />
          </BarGroup>
          {trail}
        </BarEnd>
      </Bar>
      {place.after !== null && (
        <div className={classes.cleared} role="status">
          Earlier lines are cleared from this view.
          <LinkButton onClick={withListFocus(() => place.save({ after: null }))}>Show them again</LinkButton>
        </div>
      )}
      <LogProblems view={view} />
      <div className={classes.body}>
        <PanelGroup orientation="horizontal" {...layout}>
          <Panel id="lines" minSize="320px">
            <LogRows
              label={label}
              view={view}
              selection={selection}
              selectedTo={lines.anchor}
              rowSize="row-log"
              onSelect={lines.select}
              empty={
                isLogFiltered(filter) ? (
                  <NoMatches view={view} noun="lines" onClear={() => onFilter(UNFILTERED)} />
                ) : (
                  empty
                )
              }
            >
              {(row) => <LogRow row={row} showServer={serverId === null} hasMessages={hasMessages} />}
            </LogRows>
          </Panel>
          {selection.seq !== null && (
            <>
              <Separator className="pb-separator" />
              <Panel id="line" defaultSize="38%" minSize="240px">
                <PartBoundary resetKey={selection.seq}>
                  <Suspense>
                    <LogDetail
                      seq={selection.seq}
                      onLogger={(logger) => onFilter({ logger })}
                      onClose={() => selection.select(null)}
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

interface LoggerInputProps {
  view: TrafficView;
  value: string;
  onChange: (logger: string) => void;
}

/** The logger to show; offers those of the newest lines. */
function LoggerInput({ view, value, onChange }: LoggerInputProps) {
  const [known, setKnown] = useState<string[]>([]);
  const [text, setText] = useState(value);
  const [reported, setReported] = useState(value);
  const reportSoon = useDebouncedCallback(
    (next: string) => {
      setReported(next);
      onChange(next);
    },
    { delay: 150, flushOnUnmount: true },
  );
  // The filter was changed elsewhere.
  if (value !== reported) {
    setReported(value);
    setText(value);
  }
  return (
    <Autocomplete
      size="xs"
      w={130}
      aria-label="Logger"
      placeholder="Logger"
      data-tip="Shows loggers whose names begin with this. Separate several with commas."
      limit={20}
      maxLength={300}
      clearable
      data={known}
      value={text}
      onChange={(next) => {
        setText(next);
        reportSoon(next);
      }}
      onDropdownOpen={() => setKnown(loggersIn(view.log))}
    />
  );
}
