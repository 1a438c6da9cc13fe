import { useState } from 'react';
import type { ConnectionGetResponse, ServerId } from '../../../contract/generated/contract';
import { useConnection } from '../../../model/connection/connection';
import { indentJson } from '../../../model/text/json';
import { CodeText, Waiting } from '../../../widgets/code/CodeView';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { Markdown } from '../../../widgets/markdown/Markdown';
import { RecordLink } from '../../../widgets/links/RecordLink';
import { Segments } from '../../../widgets/controls/Segments';
import { Capabilities } from './Capabilities';
import { EraFact } from './EraFact';
import { Fact, Facts } from './Facts';
import { HttpFacts } from './HttpFacts';
import { Ping } from './Ping';
import { ProcessFacts } from './ProcessFacts';
import classes from './info.module.css';

/** What the server said of itself, what was agreed, and how it runs. */
export function InfoPanel({ serverId }: { serverId: ServerId }) {
  const { connection, error } = useConnection(serverId);
  if (connection === undefined) {
    return error === null ? <Waiting text="Loading …" /> : <CommandAlert error={error} />;
  }
  return (
    <div className={classes.info}>
      <div className={classes.page}>
        <Identity serverId={serverId} info={connection} />
        {connection.http !== null && (
          <HttpFacts http={connection.http} isLegacy={connection.connection.era === 'legacy'} />
        )}
        <Instructions text={connection.instructions} />
        <Capabilities
          server={connection.serverCapabilitiesJson}
          client={connection.clientCapabilitiesJson}
          era={connection.connection.era}
        />
        {connection.process !== null && <ProcessFacts process={connection.process} />}
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
        {server?.title ?? server?.name ?? 'The server did not say its name'}
        {server?.version !== null && server?.version !== undefined && (
          <span className={classes.version}>{server.version}</span>
        )}
      </h2>
      <Facts>
        {server !== null && server.title !== null && <Fact name="Name">{server.name}</Fact>}
        <Fact name="Era">{era === null ? 'Not known: not connected' : FOUND[era]}</Fact>
        <Fact name="Revision">{revision ?? 'none agreed'}</Fact>
        {eraVerdict !== null && (
          <Fact name="How it was found">
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
        <h3 className={classes.heading}>Answer to {method}</h3>
        <Segments
          label="Show answer as"
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
          label={`Answer to ${method}`}
        />
      </div>
    </section>
  );
}
