import { IconFilter, IconX } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { Seq, TrafficRecordResponse } from '../../../contract/generated';
import { formatDateTime } from '../../../model/text/format';
import { writeJson } from '../../../model/text/json';
import { plainText } from '../../../model/text/terminal';
import { lineData } from '../../../model/traffic/logLines';
import { loggerFilter } from '../../../model/traffic/logQuery';
import { useRecord } from '../../../model/traffic/useRecord';
import { CodeText, CodeView } from '../../../widgets/code/CodeView';
import { IconButton } from '../../../widgets/controls/IconButton';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { withListFocus } from '../../../widgets/focus/listFocus';
import { RecordLink } from '../../../widgets/links/RecordLink';
import { Violations } from '../../../widgets/status/Violations';
import { LevelMark } from './LogRow';
import classes from './logs.module.css';

interface LogDetailProps {
  seq: Seq;
  onLogger: (filter: string) => void;
  onClose: () => void;
}

/** One line in full: its data as a tree, or its text; where it is from, and what is wrong with it. */
export function LogDetail({ seq, onLogger, onClose }: LogDetailProps) {
  const { record, error } = useRecord(seq, '');
  const row = record?.row;
  const logger = row?.logger ?? null;
  return (
    <section className={classes.detail} aria-label="Log line">
      <div className={classes.detailHead}>
        {row !== undefined && <LevelMark log={row.log ?? 'unknown'} />}
        <span className={`${classes.loggerName} pb-ellipsis pb-selectable pb-mono`}>{logger}</span>
        {logger !== null && (
          <IconButton
            icon={IconFilter}
            label="Filter by this logger"
            onClick={() => onLogger(loggerFilter(logger))}
          />
        )}
        <RecordLink seq={seq} label="Show in Traffic" />
        <IconButton icon={IconX} label="Close details" onClick={withListFocus(onClose)} />
      </div>
      {error !== null && <CommandAlert error={error} inPane />}
      {record !== undefined && row !== undefined && (
        <>
          <div className={`${classes.facts} pb-selectable`}>
            <span className="pb-num">{formatDateTime(row.atMs)}</span>
            <span>{row.serverName}</span>
            {row.tool !== null && <span>during {row.tool}</span>}
          </div>
          {record.violations.length > 0 && (
            <Violations items={record.violations} label="Problems in the message" />
          )}
          <Data key={row.seq} record={record} />
        </>
      )}
    </section>
  );
}

function Data({ record }: { record: TrafficRecordResponse }) {
  const data = useMemo(() => lineData(record), [record]);
  return (
    <div className={classes.data}>
      {data.type === 'record' ? (
        <CodeView body={record.raw} form="pretty" height="fill" label="Message" />
      ) : (
        <CodeText
          text={data.type === 'json' ? writeJson(data.value) : plainText(data.text)}
          language={data.type === 'json' ? 'json' : 'plain'}
          height="fill"
          label="Data"
        />
      )}
    </div>
  );
}
