import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { memo } from 'react';
import type { RecordKind, TrafficRow as Row } from '../../contract/generated';
import type { Timeline } from '../../model/traffic/view/timeline';
import { formatCount, formatDuration, formatSize, formatTime } from '../../model/text/format';
import { isMild } from '../../model/connection/problems/weight';
import { shownName } from '../../model/connection/serverName';
import { plainText } from '../../model/text/terminal';
import { useServerPart } from '../../model/workspace/context';
import { kindWord } from '../../model/traffic/kinds';
import { DirectionArrow, Elapsed, RecordStatus } from '../status/RecordStatus';
import { TimelineCell } from './TimelineCell';
import classes from './TrafficRow.module.css';

interface TrafficRowProps {
  row: Row;
  /** Whether the list shows several servers. */
  showServer: boolean;
  /** Whether it is the request or response of the selected record. */
  isPair: boolean;
  /** The time of the rows in view, in a log that shows it. */
  timeline?: Timeline | undefined;
}

/** One record as a row of the log. */
export const TrafficRow = memo(function TrafficRow({ row, showServer, isPair, timeline }: TrafficRowProps) {
  return (
    <div
      className={[
        classes.grid,
        showServer ? classes.all : '',
        timeline === undefined ? '' : classes.timed,
        kindClass(row.kind),
        isPair ? classes.pair : '',
      ].join(' ')}
    >
      <span className={classes.time}>{formatTime(row.atMs)}</span>
      <span className={classes.server}>{showServer && <ServerName row={row} />}</span>
      <DirectionArrow direction={row.direction} />
      <span className={classes.kind}>{kindWord(row.kind)}</span>
      <span className={classes.method}>{row.method}</span>
      <span className={classes.id}>{row.rpcId}</span>
      <span className={classes.summary}>{summaryOf(row)}</span>
      <span className={classes.status}>
        {row.status !== null && <RecordStatus status={row.status} isStream={row.kind === 'http'} />}
      </span>
      <span className={`${classes.number} ${classes.latency}`}>
        {row.status === 'pending' ? (
          <Elapsed sinceAtMs={row.atMs} />
        ) : (
          row.latencyMs !== null && formatDuration(row.latencyMs)
        )}
      </span>
      <span className={`${classes.number} ${classes.size}`}>{crossed(row.kind) && formatSize(row.size)}</span>
      {timeline !== undefined && <TimelineCell row={row} timeline={timeline} />}
      {row.violationCount > 0 ? <ViolationCount row={row} /> : <span className={classes.violations} />}
    </div>
  );
});

/** The name that the server had then; of one that was added by its address, what it calls itself. */
function ServerName({ row: { serverId, serverName } }: { row: Row }) {
  return useServerPart(serverId, (server) =>
    server === undefined || server.draft.name !== serverName ? serverName : shownName(server),
  );
}

/** Amber only if a violation matters to this user. */
function ViolationCount({ row: { rules, violationCount } }: { row: Row }) {
  const mild = isMild(rules);
  const Glyph = mild ? IconInfoCircle : IconAlertTriangle;
  const words = formatCount(
    violationCount,
    'violation of the specification',
    'violations of the specification',
  );
  return (
    <span
      className={classes.violations}
      data-mild={mild || undefined}
      data-tip={mild ? `${words}; only other hosts may be affected` : words}
    >
      <Glyph size={13} aria-label="violations" />
      {violationCount}
    </span>
  );
}

/** A row that is loading. */
export function UnknownRow() {
  return <div className={classes.unknown}>…</div>;
}

/** Puts the response of an exchange first: the method has its own column, and URLs are long and similar. */
function summaryOf({ kind, method, summary, tool }: Row): string | null {
  // A large result has no summary of its own; whose it is can be said.
  if (kind === 'response' && summary === null) return tool;
  if (kind === 'stderr' && summary !== null) return plainText(summary);
  if (kind !== 'http' || summary === null) return summary;
  const rest =
    method !== null && summary.startsWith(`${method} `) ? summary.slice(method.length + 1) : summary;
  const at = rest.lastIndexOf(' → ');
  return at < 0 ? rest : `${rest.slice(at + 3)} · ${rest.slice(0, at)}`;
}

/** Whether bytes were transferred: events of Patchbay have no size. */
function crossed(kind: RecordKind): boolean {
  return kind !== 'lifecycle' && kind !== 'gap';
}

function kindClass(kind: RecordKind): string | undefined {
  switch (kind) {
    case 'stderr':
      return classes.stderr;
    case 'lifecycle':
      return classes.lifecycle;
    case 'gap':
      return classes.gap;
    case 'invalid':
      return classes.invalid;
    case 'http':
      return classes.http;
    case 'request':
    case 'response':
    case 'notification':
    case 'batch':
      return '';
  }
}
