import { useState } from 'react';
import type { ConnectionGetResponse, ServerId } from '../../../contract/generated';
import { useConnection } from '../../../model/connection/connection';
import { indentJson } from '../../../model/text/json';
import { CodeText, Waiting } from '../../../widgets/code/CodeView';
import { Fact, Facts } from '../../../widgets/facts/Facts';
import { HttpFacts } from '../../../widgets/facts/HttpFacts';
import { ProcessFacts } from '../../../widgets/facts/ProcessFacts';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { Markdown } from '../../../widgets/markdown/Markdown';
import { RecordLink } from '../../../widgets/links/RecordLink';
import { Segments } from '../../../widgets/controls/Segments';
import { Capabilities } from './Capabilities';
import { EraFact } from './EraFact';
import { Ping } from './Ping';
import classes from './info.module.css';

/** The width of the column of names, in px. */
const FACT_NAMES = 150;

/** What the server says about itself, what was negotiated, and how it runs. */
export function InfoPanel({ serverId }: { serverId: ServerId }) {
  const { connection, error } = useConnection(serverId);
  if (connection === undefined) {
    return error === null ? <Waiting text="Loading …" /> : <CommandAlert error={error} inPane />;
  }
  return (
    <div className={classes.info}>
      <div className={classes.page}>
        <Identity serverId={serverId} info={connection} />
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
        {connection.process !== null && (
          <section className={classes.section} aria-label="Process">
            <h3 className={classes.heading}>Process</h3>
            <ProcessFacts process={connection.process} names={FACT_NAMES} />
          </section>
        )}
        <Handshake info={connection} />
      </div>
    </div>
  );
}

const FOUND: Record<'legacy' | 'modern', string> = {
  legacy: 'Legacy: a session begun with initialize',
  modern: 'Modern: stateless, every request carries its version and capabilities',
};

function Identity({ serverId, info }: { serverId: ServerId; info: ConnectionGetResponse }) {
  const { connection, eraVerdict, supportedVersions } = info;
  const { server, era, revision } = connection;
  return (
    <section className={classes.section} aria-label="Server">
      <h2 className={classes.title}>
        {server?.title ?? server?.name ?? 'Unnamed server'}
        {server?.version !== null && server?.version !== undefined && (
          <span className={classes.version}>{server.version}</span>
        )}
      </h2>
      <Facts names={FACT_NAMES}>
        {server !== null && server.title !== null && <Fact name="Name">{server.name}</Fact>}
        <Fact name="Era">{era === null ? 'Not known: not connected' : FOUND[era]}</Fact>
        <Fact name="Revision">{revision ?? 'none agreed'}</Fact>
        {eraVerdict !== null && (
          <Fact name="Detected by">
            <EraFact serverId={serverId} verdict={eraVerdict} />
          </Fact>
        )}
        {supportedVersions.length > 0 && <Fact name="Supports">{supportedVersions.join(', ')}</Fact>}
        <Fact name="Ping">
          <Ping serverId={serverId} state={connection.state} era={era} />
        </Fact>
      </Facts>
    </section>
  );
}

function Instructions({ text }: { text: string | null }) {
  const [form, setForm] = useState<'markdown' | 'text'>('markdown');
  if (text === null) return null;
  return (
    <section className={classes.section} aria-label="Instructions">
      <div className={classes.head}>
        <h3 className={classes.heading}>Instructions to the model</h3>
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
        {handshakeSeq !== null && <RecordLink seq={handshakeSeq} label="Show in traffic" />}
      </div>
      <div className={classes.well}>
        <CodeText
          text={form === 'pretty' ? indentJson(handshakeResultJson) : handshakeResultJson}
          language="json"
          label={`Response to ${method}`}
        />
      </div>
    </section>
  );
}
