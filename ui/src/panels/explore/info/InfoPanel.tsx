import { useMemo, useState } from 'react';
import type { ConnectionGetResponse, Seq, ServerId } from '../../../contract/generated';
import { useConnection } from '../../../model/connection/connection';
import {
  type ServerDetails,
  readClientDetails,
  readServerDetails,
} from '../../../model/connection/handshake';
import { useServerPart } from '../../../model/workspace/context';
import { formatDateTime } from '../../../model/text/format';
import { type LoadedRecord, useRecord } from '../../../model/traffic/useRecord';
import { IndentedJson } from '../../../widgets/code/IndentedJson';
import { CodeText } from '../../../widgets/code/CodeView';
import { Waiting } from '../../../widgets/status/Waiting';
import { Fact, Facts } from '../../../widgets/facts/Facts';
import { HttpFacts } from '../../../widgets/facts/HttpFacts';
import { ProcessFacts } from '../../../widgets/facts/ProcessFacts';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { Markdown } from '../../../widgets/markdown/Markdown';
import { ExternalLink } from '../../../widgets/links/ExternalLink';
import { RecordLink } from '../../../widgets/links/RecordLink';
import { Segments } from '../../../widgets/controls/Segments';
import { FileWatch } from '../../../widgets/watch/FileWatch';
import { CacheHints } from './CacheHints';
import { Capabilities } from './Capabilities';
import { EraFact } from './EraFact';
import { Extensions } from './Extensions';
import { Icons } from './Icons';
import { Ping } from './Ping';
import classes from './info.module.css';

/** The width of the column of names, in px. */
const FACT_NAMES = 150;

/** What the server says about itself, what was negotiated, and how it runs. */
export function InfoPanel({ serverId }: { serverId: ServerId }) {
  const { connection, error } = useConnection(serverId);
  const resultJson = connection?.handshakeResultJson ?? '';
  const details = useMemo(() => readServerDetails(resultJson), [resultJson]);
  if (connection === undefined) {
    return error === null ? <Waiting text="Loading…" /> : <CommandAlert error={error} inPane />;
  }
  return (
    <div className={classes.info}>
      <div className={classes.page}>
        <Identity serverId={serverId} info={connection} details={details} />
        <Watched serverId={serverId} />
        {connection.http !== null && (
          <section className={classes.section} aria-label="HTTP">
            <h3 className={classes.heading}>HTTP</h3>
            <HttpFacts http={connection.http} names={FACT_NAMES} />
          </section>
        )}
        <Instructions text={connection.instructions} />
        <Capabilities
          server={connection.serverCapabilitiesJson}
          client={connection.clientCapabilitiesJson}
          era={connection.connection.era}
        />
        <Extensions server={connection.serverCapabilitiesJson} client={connection.clientCapabilitiesJson} />
        {connection.connection.era === 'modern' && (
          <CacheHints
            serverId={serverId}
            discover={details}
            sinceAtMs={connection.connection.sinceAtMs}
            names={FACT_NAMES}
          />
        )}
        {connection.process !== null && (
          <section className={classes.section} aria-label="Process">
            <h3 className={classes.heading}>Process</h3>
            <ProcessFacts serverId={serverId} process={connection.process} names={FACT_NAMES} />
          </section>
        )}
        <Handshake info={connection} />
      </div>
    </div>
  );
}

/** The files of the server that are watched, if they are. */
function Watched({ serverId }: { serverId: ServerId }) {
  const server = useServerPart(serverId, (item) => item);
  if (server?.fileWatch === undefined) return null;
  return (
    <section className={classes.section} aria-label="Files">
      <h3 className={classes.heading}>Restart when files change</h3>
      <FileWatch server={server} item={server.fileWatch} />
    </section>
  );
}

const FOUND: Record<'legacy' | 'modern', string> = {
  legacy: 'Legacy: session started with initialize',
  modern: 'Modern: stateless, every request carries its version and capabilities',
};

interface IdentityProps {
  serverId: ServerId;
  info: ConnectionGetResponse;
  details: ServerDetails;
}

function Identity({ serverId, info, details }: IdentityProps) {
  const { connection, eraVerdict, supportedVersions } = info;
  const { server, era, revision, state, sinceAtMs } = connection;
  const { description, websiteUrl, icons } = details;
  const client = useClientDetails(info);
  const icon = icons.find(({ shown }) => shown !== null)?.shown ?? null;
  return (
    <section className={classes.section} aria-label="Server">
      <h2 className={classes.title}>
        {icon !== null && <img src={icon} alt="" width={20} height={20} className={classes.icon} />}
        {server?.title ?? server?.name ?? 'Unnamed server'}
        {server?.version !== null && server?.version !== undefined && (
          <span className={classes.version}>{server.version}</span>
        )}
      </h2>
      <Facts names={FACT_NAMES}>
        {server !== null && server.title !== null && <Fact name="Name">{server.name}</Fact>}
        <Fact name="Description">{description}</Fact>
        {websiteUrl !== null && (
          <Fact name="Website">
            {/^https?:/i.test(websiteUrl) ? (
              <ExternalLink url={websiteUrl}>{websiteUrl}</ExternalLink>
            ) : (
              websiteUrl
            )}
          </Fact>
        )}
        {icons.length > 0 && (
          <Fact name="Icons">
            <Icons icons={icons} />
          </Fact>
        )}
        <Fact name="Era">{era === null ? 'Not known: not connected' : FOUND[era]}</Fact>
        <Fact name="Revision">{revisionWords(revision, client.revision)}</Fact>
        {eraVerdict !== null && (
          <Fact name="Detected by">
            <EraFact serverId={serverId} verdict={eraVerdict} />
          </Fact>
        )}
        {supportedVersions.length > 0 && <Fact name="Supports">{supportedVersions.join(', ')}</Fact>}
        <Fact name="Client">
          {client.client === null ? client.pending : `${client.client}, as sent to the server`}
        </Fact>
        {state === 'ready' && (
          <Fact name="Connected since" className="pb-num">
            {formatDateTime(sinceAtMs)}
          </Fact>
        )}
        <Fact name="Ping">
          <Ping serverId={serverId} state={connection.state} era={era} />
        </Fact>
      </Facts>
    </section>
  );
}

/** The agreed revision, and the requested one if it is another. */
function revisionWords(agreed: string | null, requested: string | null): string {
  if (agreed === null) return 'None negotiated';
  return requested === null || requested === agreed ? agreed : `${agreed} (Patchbay requested ${requested})`;
}

/** What Patchbay sent in the request of the handshake, read from the traffic log. */
function useClientDetails({ handshakeSeq }: ConnectionGetResponse) {
  const answer = useRecord(handshakeSeq, '');
  const requestSeq = answer.record?.pair?.seq ?? null;
  const request = useRecord(requestSeq, '');
  const frame = request.record?.raw.inline ?? '';
  const details = useMemo(() => readClientDetails(frame), [frame]);
  const isPending = isLoading(handshakeSeq, answer) || isLoading(requestSeq, request);
  // Keeps the line of what is still read: the button below it would move under the pointer.
  return { ...details, pending: isPending ? 'Loading…' : null };
}

function isLoading(seq: Seq | null, { record, error }: LoadedRecord): boolean {
  return seq !== null && record === undefined && error === null;
}

function Instructions({ text }: { text: string | null }) {
  const [form, setForm] = useState<'markdown' | 'text'>('markdown');
  if (text === null) return null;
  return (
    <section className={classes.section} aria-label="Instructions">
      <div className={classes.head}>
        <h3 className={classes.heading}>Instructions for the model</h3>
        <Segments
          label="Show instructions as"
          value={form}
          onChange={(value) => setForm(value)}
          segments={[
            { value: 'markdown', label: 'Markdown' },
            { value: 'text', label: 'Text' },
          ]}
        />
      </div>
      {form === 'markdown' ? (
        <Markdown text={text} />
      ) : (
        <CodeText text={text} language="plain" label="Instructions" />
      )}
    </section>
  );
}

function Handshake({ info }: { info: ConnectionGetResponse }) {
  const { handshakeResultJson, handshakeSeq, connection } = info;
  const [form, setForm] = useState<'pretty' | 'raw'>('pretty');
  if (handshakeResultJson === null) return null;
  const method = connection.era === 'modern' ? 'server/discover' : 'initialize';
  return (
    <section className={classes.section} aria-label="Handshake">
      <div className={classes.head}>
        <h3 className={classes.heading}>Response to {method}</h3>
        <Segments
          label="Show response as"
          value={form}
          onChange={(value) => setForm(value)}
          segments={[
            { value: 'pretty', label: 'Indented' },
            { value: 'raw', label: 'As received' },
          ]}
        />
        {handshakeSeq !== null && <RecordLink seq={handshakeSeq} label="Show in Traffic" />}
      </div>
      <div className={classes.well}>
        {form === 'pretty' ? (
          <IndentedJson text={handshakeResultJson} label={`Response to ${method}`} />
        ) : (
          <CodeText text={handshakeResultJson} language="json" label={`Response to ${method}`} />
        )}
      </div>
    </section>
  );
}
