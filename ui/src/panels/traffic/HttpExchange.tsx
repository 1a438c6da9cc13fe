import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import type {
  HttpExchangeItem,
  HttpHeaderItem,
  HttpStageItem,
  HttpTimingItem,
  Seq,
  TrafficRecordResponse,
  TrafficRow,
} from '../../contract/generated';
import { formatCount, formatDuration, formatTime } from '../../model/text/format';
import { stageTone, stageWord, statusTone } from '../../model/traffic/httpTiming';
import { LinkButton } from '../../widgets/links/LinkButton';
import { Segments } from '../../widgets/controls/Segments';
import { Fact, Facts } from '../../widgets/facts/Facts';
import classes from './HttpExchange.module.css';
import { HttpBodies } from './HttpBodies';
import { RelatedLimit } from './RelatedLimit';
import { HttpWaterfall } from './HttpWaterfall';

/** The parts of an exchange. */
export type HttpPart = 'summary' | 'headers' | 'stages' | 'body';

interface HttpExchangeProps {
  record: TrafficRecordResponse;
  http: HttpExchangeItem;
  part: HttpPart;
  /** Selects another record. */
  onShow: (seq: Seq) => void;
}

/** One HTTP exchange: request, response, timing, and the MCP messages it carried. */
export function HttpExchange({ record, http, part, onShow }: HttpExchangeProps) {
  if (part === 'body') return <HttpBodies http={http} related={record.related} isUtf8={record.isUtf8} />;
  return (
    <div className={`${classes.scroll} pb-selectable`}>
      {part === 'headers' && <Headers http={http} />}
      {part === 'stages' && <Stages stages={http.stages} omitted={http.stagesOmitted} />}
      {part === 'summary' && <Summary record={record} http={http} onShow={onShow} />}
    </div>
  );
}

/** Switches between the parts of an exchange. */
export function HttpParts({ part, onPart }: { part: HttpPart; onPart: (part: HttpPart) => void }) {
  return (
    <Segments
      label="Part of the exchange"
      value={part}
      onChange={onPart}
      segments={[
        { value: 'summary', label: 'Summary' },
        { value: 'headers', label: 'Headers' },
        { value: 'stages', label: 'Stages' },
        { value: 'body', label: 'Body' },
      ]}
    />
  );
}

function Summary({ record, http, onShow }: Omit<HttpExchangeProps, 'part'>) {
  const { row, related } = record;
  const isRunning = row.status === 'pending';
  const type = http.responseHeaders.find(({ name }) => name.toLowerCase() === 'content-type')?.value;
  return (
    <>
      <Facts names={72}>
        <Fact name="Request" mono>
          <b className={classes.main}>{http.method}</b> {http.url}
        </Fact>
        <Fact name="Response" className={classes.response}>
          <Status http={http} isRunning={isRunning} />
          {type !== undefined && <span className="pb-mono">{type}</span>}
          {http.version !== '' && <span className={classes.dim}>{http.version}</span>}
        </Fact>
        {http.timing !== null && <OtherEnd timing={http.timing} />}
      </Facts>
      <h4 className={classes.heading}>Timing</h4>
      <HttpWaterfall http={http} startedAtMs={row.atMs} isRunning={isRunning} />
      <h4 className={classes.heading}>MCP messages</h4>
      <Messages rows={related} onShow={onShow} />
      <RelatedLimit row={row} related={related} />
    </>
  );
}

/** The remote end, and what TLS negotiated. */
function OtherEnd({ timing: { remote, proxy, tls } }: { timing: HttpTimingItem }) {
  return (
    <>
      {remote !== null && (
        <Fact name="Remote" mono>
          {remote}
          {proxy !== null && ` (proxy ${proxy})`}
        </Fact>
      )}
      {tls !== null && (
        <>
          <Fact name="TLS">
            {tls.version}, {tls.cipher}
            {tls.alpn !== null && `, ${tls.alpn}`}
          </Fact>
          <Fact name="Certificate">
            {tls.subject}, issued by {tls.issuer}, valid until {tls.notAfter}
            {tls.acceptedByUser && (
              <div className={classes.status} data-tone="warn">
                <IconAlertTriangle size={13} aria-hidden /> accepted by its fingerprint alone
              </div>
            )}
          </Fact>
        </>
      )}
    </>
  );
}

interface StatusProps {
  http: HttpExchangeItem;
  isRunning: boolean;
}

function Status({ http: { status, reason, stages }, isRunning }: StatusProps) {
  if (status === null) {
    const failed = stages.findLast(({ stage }) => stage === 'failed' || stage === 'aborted');
    if (failed === undefined && isRunning) return <span className={classes.dim}>none yet</span>;
    const why = failed === undefined ? 'the connection ended' : failed.text || stageWord(failed.stage);
    return (
      <span className={classes.status} data-tone="error">
        <IconX size={14} aria-hidden /> none: {why}
      </span>
    );
  }
  const tone = statusTone(status);
  const Glyph = tone === 'ok' ? IconCheck : tone === 'warn' ? IconAlertTriangle : IconX;
  return (
    <span className={`${classes.status} pb-num`} data-tone={tone}>
      <Glyph size={14} aria-hidden /> {status} {reason}
    </span>
  );
}

function Messages({ rows, onShow }: { rows: TrafficRow[]; onShow: (seq: Seq) => void }) {
  if (rows.length === 0) return <p className={classes.dim}>None.</p>;
  return (
    <ul className={classes.messages}>
      {rows.map((row) => (
        <li key={row.seq} className="pb-ellipsis">
          <LinkButton onClick={() => onShow(row.seq)}>#{row.seq}</LinkButton>{' '}
          <span className={classes.dim}>{formatTime(row.atMs)}</span> {row.kind} {row.method}{' '}
          <span className={classes.dim}>{row.summary}</span>
        </li>
      ))}
    </ul>
  );
}

function Headers({ http }: { http: HttpExchangeItem }) {
  return (
    <>
      <h4 className={classes.heading}>Request headers</h4>
      <HeaderTable headers={http.requestHeaders} label="Request headers" />
      <h4 className={classes.heading}>Response headers</h4>
      {http.status === null ? (
        <p className={classes.dim}>No response.</p>
      ) : (
        <HeaderTable headers={http.responseHeaders} label="Response headers" />
      )}
    </>
  );
}

function HeaderTable({ headers, label }: { headers: HttpHeaderItem[]; label: string }) {
  if (headers.length === 0) return <p className={classes.dim}>None.</p>;
  return (
    <table className={classes.table} aria-label={label}>
      <tbody>
        {headers.map(({ name, value }, i) => (
          // A header may come twice.
          // oxlint-disable-next-line react/no-array-index-key
          <tr key={i}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Stages({ stages, omitted }: { stages: HttpStageItem[]; omitted: number }) {
  if (stages.length === 0) return <p className={classes.dim}>Not started.</p>;
  return (
    <table className={classes.table} aria-label="Stages">
      <tbody>
        {stages.map(({ afterMs, stage, text }, i) => (
          // The order never changes.
          // oxlint-disable-next-line react/no-array-index-key
          <tr key={i} data-tone={stageTone(stage)}>
            <td className={`${classes.after} pb-num`}>+{formatDuration(afterMs)}</td>
            <th scope="row">{stageWord(stage)}</th>
            <td>{text}</td>
          </tr>
        ))}
      </tbody>
      {omitted > 0 && <caption>and {formatCount(omitted)} more</caption>}
    </table>
  );
}
