import { IconCheck, IconTerminal2, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type {
  CommandError,
  RecordKind,
  Seq,
  TrafficRecordResponse,
  TrafficRow,
  ViolationItem,
} from '../../contract/generated';
import { useShowInChat } from '../../model/chat/useShowInChat';
import { useNewestRepeat } from '../../model/exchange/useNewestRepeat';
import { commandError } from '../../model/store/errors';
import type { RecordForm } from '../../model/workspace/uiState';
import { useHost } from '../../model/workspace/context';
import { curlOf } from '../../model/traffic/curl';
import { formatCount, formatDuration, formatSize, formatTime } from '../../model/text/format';
import { useRecord } from '../../model/traffic/useRecord';
import type { RowSource } from '../../model/traffic/view/sortedRows';
import { useLogPace } from '../../model/traffic/view/useLogPace';
import { CodeView } from '../../widgets/code/CodeView';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import { WeightGlyph } from '../../widgets/status/WeightGlyph';
import { weightOf } from '../../model/connection/problems/weight';
import { withListFocus } from '../../widgets/focus/listFocus';
import { IconButton } from '../../widgets/controls/IconButton';
import { LinkButton } from '../../widgets/links/LinkButton';
import { RuleLink } from '../../widgets/links/RuleLink';
import { DirectionArrow, RecordStatus } from '../../widgets/status/RecordStatus';
import { Segments } from '../../widgets/controls/Segments';
import { useCopy } from '../../widgets/controls/useCopy';
import { type FilterChange, FilterMenu } from './FilterMenu';
import { HttpExchange, type HttpPart, HttpParts } from './HttpExchange';
import { RecordBytes } from './RecordBytes';
import { RelatedLimit, relatedCount } from './RelatedLimit';
import { ResendButtons, canResend } from './ResendButtons';
import { CodeMarks } from '../../widgets/text/CodeMarks';
import classes from './TrafficPanel.module.css';

interface TrafficDetailProps {
  seq: Seq | null;
  /** As the list shows it now; pulls the record again when it changes. */
  row: TrafficRow | undefined;
  /** The log of the list: while the record goes on, its changes say when to pull it again. */
  log: Pick<RowSource, 'subscribe'>;
  form: RecordForm;
  onForm: (form: RecordForm) => void;
  /** Changes the filter of the list. */
  onFilter: (change: FilterChange) => void;
  /** Selects another record. */
  onShow: (seq: Seq) => void;
  onClose: () => void;
}

/** One record: its content, decoded or as received, its violations, and the records related to it. */
export function TrafficDetail(props: TrafficDetailProps) {
  const { seq, row, log, form, onForm, onFilter, onShow, onClose } = props;
  // What an exchange carried, its stages and the progress of a request are not in the row.
  const pace = useLogPace(log, row?.status === 'pending');
  const revision = `${row?.status}.${row?.pairSeq}.${row?.violationCount}.${row?.size}.${row?.summary}.${pace}`;
  const { record, error } = useRecord(seq, revision, useNewestRepeat(seq));
  // What is done with a record is done with the selected one, also while the one before it is still in view.
  const isCurrent = record?.row.seq === seq;
  const shown = isCurrent ? record?.row : row;
  // It stays open when another exchange is selected.
  const [part, setPart] = useState<HttpPart>('summary');
  // Shown with the record that could not be sent again.
  const [failed, setFailed] = useState<{ seq: Seq; error: CommandError } | null>(null);
  const showInChat = useShowInChat();

  async function openChat(of: Seq): Promise<void> {
    try {
      await showInChat(of);
    } catch (thrown) {
      setFailed({ seq: of, error: commandError(thrown) });
    }
  }

  return (
    <section
      className={classes.detail}
      aria-label="Record"
      aria-busy={record !== undefined && !isCurrent ? true : undefined}
    >
      <div className={classes.detailHead}>
        <DirectionArrow direction={shown?.direction ?? null} />
        <strong className="pb-ellipsis pb-selectable">{shown?.method ?? shown?.kind ?? ''}</strong>
        <span className="pb-ellipsis pb-selectable" style={{ flex: 1, color: 'var(--pb-text-dim)' }}>
          {shown?.rpcId !== null && shown !== undefined && `id ${shown.rpcId}`}
        </span>
        {shown !== undefined && <FilterMenu row={shown} onFilter={onFilter} />}
        {shown !== undefined && canResend(shown) && (
          <ResendButtons
            key={shown.seq}
            row={shown}
            onError={(thrown) => setFailed(thrown === null ? null : { seq: shown.seq, error: thrown })}
          />
        )}
        {shown?.kind === 'http' ? (
          <>
            <HttpParts part={part} onPart={setPart} />
            <CopyCurl seq={shown.seq} />
          </>
        ) : (
          <Segments
            label="Format"
            value={form}
            onChange={onForm}
            segments={[
              { value: 'decoded', label: 'Decoded' },
              { value: 'raw', label: 'Raw' },
              { value: 'bytes', label: 'Bytes' },
            ]}
          />
        )}
        <IconButton icon={IconX} label="Close" onClick={withListFocus(onClose)} />
      </div>
      {error !== null && <CommandAlert error={error} inPane />}
      {failed !== null && failed.seq === seq && <CommandAlert error={failed.error} inPane />}
      {record !== undefined && (
        <RecordBody
          record={record}
          form={form}
          onForm={onForm}
          part={part}
          onShow={(to) => isCurrent && onShow(to)}
          onShowInChat={() => isCurrent && void openChat(record.row.seq)}
        />
      )}
    </section>
  );
}

/** Copies the request as a curl command line. */
function CopyCurl({ seq }: { seq: Seq }) {
  const host = useHost();
  const { words, isCopied, copy } = useCopy('Copy as cURL, secrets masked');
  return (
    <IconButton
      icon={isCopied ? IconCheck : IconTerminal2}
      label={words}
      onClick={() => void copy(() => curlOf(host, seq))}
    />
  );
}

/** Says that the record is not as it crossed. */
function maskedWords(count: number): string {
  return count === 1 ? 'A secret was masked here' : `${formatCount(count, 'secret')} were masked here`;
}

interface RecordBodyProps {
  record: TrafficRecordResponse;
  form: RecordForm;
  onForm: (form: RecordForm) => void;
  part: HttpPart;
  onShow: (seq: Seq) => void;
  /** Leads to the step of a conversation that the record belongs to. */
  onShowInChat: () => void;
}

function RecordBody({ record, form, onForm, part, onShow, onShowInChat }: RecordBodyProps) {
  const { row, raw, bytes, pair, related, violations, redactions, isUtf8 } = record;
  const isJson = raw.pretty !== null;
  const exchange = row.kind === 'http' ? record.http : null;
  return (
    <>
      <div className={`${classes.facts} pb-selectable`}>
        <span>#{row.seq}</span>
        <span>{formatTime(row.atMs)}</span>
        <span>{row.serverName}</span>
        <span>{formatSize(row.size)}</span>
        {row.status !== null && <RecordStatus status={row.status} isStream={row.kind === 'http'} />}
        {row.latencyMs !== null && <span>{formatDuration(row.latencyMs)}</span>}
        {redactions > 0 && <span>{maskedWords(redactions)}</span>}
        {pair !== null && <PairLink pair={pair} onShow={onShow} />}
        {row.batchSeq !== null && <BatchLink seq={row.batchSeq} onShow={onShow} />}
        {row.httpSeq !== null && <HttpLink seq={row.httpSeq} onShow={onShow} />}
        {record.chatTitle !== undefined && <ChatLink title={record.chatTitle} onShow={onShowInChat} />}
      </div>
      {violations.length > 0 && <Violations items={violations} />}
      {exchange !== null && (
        <HttpExchange key={row.seq} record={record} http={exchange} part={part} onShow={onShow} />
      )}
      {exchange === null && related.length > 0 && (
        <details className={classes.related}>
          <summary>Related ({relatedCount(related)})</summary>
          {related.map((other) => (
            <div key={other.seq} className="pb-ellipsis">
              <LinkButton onClick={() => onShow(other.seq)}>
                #{other.seq} {formatTime(other.atMs)} {other.method ?? other.kind}
              </LinkButton>{' '}
              <span style={{ color: 'var(--pb-text-dim)' }}>
                {/* A message that was sent again may have gone to another server. */}
                {[other.serverId === row.serverId ? null : other.serverName, other.summary]
                  .filter((words) => words !== null && words !== '')
                  .join(' · ')}
              </span>
            </div>
          ))}
          <RelatedLimit row={row} related={related} />
        </details>
      )}
      {!isUtf8 && exchange === null && form !== 'bytes' && (
        <div className={classes.note}>
          Not valid UTF-8: invalid bytes are shown as <span className="pb-mono">�</span>.{' '}
          <LinkButton onClick={() => onForm('bytes')}>Show the bytes</LinkButton>
        </div>
      )}
      {form === 'decoded' && !isJson && isMessage(row.kind) && (
        <div className={classes.note}>Not JSON: shown as received.</div>
      )}
      {exchange === null && (
        <div className={classes.code}>
          {form === 'bytes' ? (
            <RecordBytes key={row.seq} body={bytes} fileName={`record-${row.seq}.bin`} />
          ) : (
            <CodeView
              key={row.seq}
              body={raw}
              form={form === 'decoded' && isJson ? 'pretty' : 'raw'}
              height="fill"
              label={`Record ${row.seq}`}
            />
          )}
        </div>
      )}
    </>
  );
}

/** Whether a record of this kind should be JSON. */
function isMessage(kind: RecordKind): boolean {
  return kind !== 'stderr' && kind !== 'lifecycle' && kind !== 'gap' && kind !== 'http';
}

function PairLink({ pair, onShow }: { pair: TrafficRow; onShow: (seq: Seq) => void }) {
  const isAnswer = pair.kind === 'response';
  return (
    <span>
      {isAnswer ? 'response' : 'request'}{' '}
      <LinkButton onClick={() => onShow(pair.seq)}>#{pair.seq}</LinkButton>
    </span>
  );
}

function HttpLink({ seq, onShow }: { seq: Seq; onShow: (seq: Seq) => void }) {
  return (
    <span>
      in HTTP exchange <LinkButton onClick={() => onShow(seq)}>#{seq}</LinkButton>
    </span>
  );
}

/** `title` is the name that the conversation had. */
function ChatLink({ title, onShow }: { title: string; onShow: () => void }) {
  return (
    <LinkButton
      data-tip={`Show this step in ${title === '' ? 'the unnamed conversation' : `“${title}”`}`}
      onClick={onShow}
    >
      Show in Chat
    </LinkButton>
  );
}

function BatchLink({ seq, onShow }: { seq: Seq; onShow: (seq: Seq) => void }) {
  return (
    <span>
      in batch <LinkButton onClick={() => onShow(seq)}>#{seq}</LinkButton>
    </span>
  );
}

function Violations({ items }: { items: ViolationItem[] }) {
  return (
    <ul className={`${classes.violations} pb-selectable`} aria-label="Violations">
      {items.map(({ rule, severity, message, pointer }, i) => (
        // Violations have no id, and their order never changes.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={i}>
          <WeightGlyph weight={weightOf({ rule, severity })} size={13} /> <CodeMarks text={message} />{' '}
          {pointer !== null && pointer !== '' && <span className="pb-mono">{pointer}</span>}{' '}
          <span className="pb-mono">
            <RuleLink rule={rule} />
          </span>
        </li>
      ))}
    </ul>
  );
}
