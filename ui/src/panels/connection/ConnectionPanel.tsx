import { Button, Group } from '@mantine/core';
import {
  IconKey,
  IconPencil,
  IconPlugConnected,
  IconPlugConnectedX,
  IconStethoscope,
  IconTerminal,
  IconTerminal2,
} from '@tabler/icons-react';
import { type ReactNode, memo } from 'react';
import type { ConnectionState, FailureItem, ProcessItem, ServerItem } from '../../contract/generated';
import { fullName } from '../../model/connection/serverName';
import { useActions } from '../../model/workspace/actions';
import { detailParagraphs } from '../../model/connection/failureDetail';
import { useConnection, useUnlessBrief } from '../../model/connection/connection';
import { useElapsed } from '../../model/store/clock';
import { useModel } from '../../model/workspace/context';
import { reachedBy } from '../../model/servers/serverForm';
import { terminalParts } from '../../model/text/terminal';
import { CertificateChoice } from '../../widgets/controls/CertificateChoice';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import { Bar } from '../../widgets/layout/Bar';
import { Pane } from '../../widgets/layout/Pane';
import { StateGlyph, isShownDisabled } from '../../widgets/status/ConnectionStatus';
import { LinkButton } from '../../widgets/links/LinkButton';
import { RecordLink } from '../../widgets/links/RecordLink';
import { Elapsed } from '../../widgets/status/RecordStatus';
import { Fact, Facts } from '../../widgets/facts/Facts';
import { HttpFacts } from '../../widgets/facts/HttpFacts';
import { ProcessFacts } from '../../widgets/facts/ProcessFacts';
import { TerminalText } from '../../widgets/text/TerminalText';
import { FileWatch } from '../../widgets/watch/FileWatch';
import { Automatic } from './Automatic';
import { DisabledServer } from './DisabledServer';
import { LostCalls } from './LostCalls';
import classes from './ConnectionPanel.module.css';

/** The width of the column of names, in px. */
const FACT_NAMES = 128;

const NO_LINES: readonly string[] = [];

interface ConnectionPanelProps {
  server: ServerItem;
  /** The switch between the modes; it comes first in the bar. */
  lead: ReactNode;
}

/** A server that is not ready: what it is doing, or what went wrong and what to do about it. */
export function ConnectionPanel({ server, lead }: ConnectionPanelProps) {
  const shown = useUnlessBrief(server);
  if (isShownDisabled(server)) return <DisabledServer server={server} lead={lead} />;
  return <Connection server={shown} lead={lead} />;
}

const Connection = memo(function Connection({ server, lead }: ConnectionPanelProps) {
  const { workspace } = useModel();
  const actions = useActions();
  const { connection, error } = useConnection(server.id);
  const { state, sinceAtMs, failure } = server.connection;
  const name = fullName(server);
  const waiting =
    state === 'connecting' || state === 'authorizing' || state === 'negotiating' || state === 'closing';
  const ended = state === 'failed' || state === 'closed';
  const isProgram = server.draft.transport.type === 'stdio';
  const stderr = connection?.stderrTail ?? NO_LINES;
  const isUnauthorized = state === 'authorizing' || (state === 'failed' && failure?.httpStatus === 401);

  return (
    <Pane label={name} bar={<Bar>{lead}</Bar>} scrolls>
      <div className={classes.inner}>
        <div className={classes.head} role="status">
          <StateGlyph state={state} size={18} />
          <h2 className={classes.title}>{headline(state, name)}</h2>
          {waiting && (
            // Not for a screen reader: it would read ten numbers a second.
            <span className={classes.since} aria-hidden>
              <Elapsed sinceAtMs={sinceAtMs} />
            </span>
          )}
        </div>
        {server.automatic !== undefined && <Automatic automatic={server.automatic} serverId={server.id} />}
        {server.fileWatch !== undefined && (
          <div className={classes.automatic}>
            <FileWatch server={server} item={server.fileWatch} />
          </div>
        )}
        {state === 'failed' && failure !== null && (
          <Failure failure={failure} isNotOnPath={isMissing(connection?.process)} />
        )}
        {ended && <LostCalls serverId={server.id} endedAtMs={sinceAtMs} names={FACT_NAMES} />}
        {state === 'failed' && failure !== null && failure.certificate !== null && (
          <CertificateChoice certificate={failure.certificate} serverId={server.id} serverName={name} />
        )}
        {(waiting || (!ended && !connection?.process)) && (
          <Facts names={FACT_NAMES}>
            {!connection?.process && (
              <Fact name={server.isDemo ? 'Server' : isProgram ? 'Command' : 'URL'} mono={!server.isDemo}>
                {server.isDemo
                  ? 'The built-in demo server. Runs on this machine and needs no network.'
                  : reachedBy(server.draft.transport)}
              </Fact>
            )}
            {waiting && <Fact name="Step">{stepText(state, isProgram)}</Fact>}
            {(state === 'connecting' || state === 'negotiating') && (
              <Silence
                key={state}
                sinceAtMs={sinceAtMs}
                strayLine={connection?.strayLine ?? null}
                timeoutMs={server.draft.timeouts.requestMs}
              />
            )}
          </Facts>
        )}
        <Group gap="xs">
          {waiting ? (
            <Button
              variant="default"
              disabled={state === 'closing'}
              leftSection={<IconPlugConnectedX size={16} />}
              onClick={() => void actions.disconnect(server.id)}
            >
              {state === 'closing' ? 'Closing' : 'Cancel'}
            </Button>
          ) : (
            <Button
              variant={failure?.certificate ? 'default' : 'filled'}
              leftSection={<IconPlugConnected size={16} />}
              onClick={() => void actions.connect(server.id)}
            >
              {server.automatic?.type === 'waiting' ? 'Connect now' : ended ? 'Reconnect' : 'Connect'}
            </Button>
          )}
          {isUnauthorized && (
            <Button
              variant="default"
              leftSection={<IconKey size={16} />}
              onClick={() => actions.show(server.id, 'authorization')}
            >
              Show authorization
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<IconPencil size={16} />}
            onClick={() => workspace.setState({ dialog: { type: 'editServer', serverId: server.id } })}
          >
            Edit…
          </Button>
          {state === 'failed' && (
            <Button
              variant="default"
              leftSection={<IconStethoscope size={16} />}
              onClick={() => workspace.setState({ dialog: { type: 'doctor', serverId: server.id } })}
            >
              Diagnose…
            </Button>
          )}
          {isProgram && !waiting && (
            <Button
              variant="default"
              leftSection={<IconTerminal size={16} />}
              onClick={() => void actions.openTerminal(server.id)}
            >
              Open in terminal
            </Button>
          )}
          {isProgram && (ended || waiting) && (
            <Button
              variant="default"
              leftSection={<IconTerminal2 size={16} />}
              onClick={() => actions.showOutput(server.id)}
            >
              Server output
            </Button>
          )}
        </Group>
        {error !== null && <CommandAlert error={error} />}
        {state === 'failed' && <Detail detail={failure?.detail ?? null} stderr={stderr} />}
        {ended && stderr.length > 0 && (
          <>
            <h3 className={classes.section}>Last lines on stderr</h3>
            <pre className={`${classes.stderr} pb-selectable`}>
              <TerminalText parts={terminalParts(stderr.join('\n'))} />
            </pre>
          </>
        )}
        {connection?.process && (
          <>
            <h3 className={classes.section}>Process</h3>
            <ProcessFacts serverId={server.id} process={connection.process} names={FACT_NAMES} />
          </>
        )}
        {connection?.http && (
          <>
            <h3 className={classes.section}>HTTP</h3>
            <HttpFacts http={connection.http} names={FACT_NAMES} />
          </>
        )}
      </div>
    </Pane>
  );
});

/** How long a server may be silent before that is said, in ms. */
const SILENT_MS = 1500;

/** Why it takes long: what the server wrote instead of an answer, or that it has written nothing. */
function Silence(props: { sinceAtMs: number; strayLine: string | null; timeoutMs: number }) {
  const { sinceAtMs, strayLine, timeoutMs } = props;
  const elapsed = useElapsed(sinceAtMs);
  if (strayLine !== null) {
    return (
      <Fact name="Stdout">
        The server wrote a line to stdout that is not JSON-RPC: “{strayLine}”. Log to stderr instead: stdout
        is reserved for MCP messages.
      </Fact>
    );
  }
  if (elapsed < SILENT_MS) return null;
  return (
    <Fact name="Response">
      None yet. The connection attempt times out after {timeoutMs / 1000} s. Change the timeout in the server
      settings.
    </Fact>
  );
}

function Failure({ failure, isNotOnPath }: { failure: FailureItem; isNotOnPath: boolean }) {
  const { workspace } = useModel();
  return (
    <Facts names={FACT_NAMES} tone="error">
      <Fact name="Failed at">{failure.step}</Fact>
      <Fact name="Cause">
        {failure.cause}
        {failure.httpStatus !== null && ` (HTTP ${failure.httpStatus})`}
        {failure.seq !== null && <RecordLink seq={failure.seq} label="Show in Traffic" />}
      </Fact>
      <Fact name="What to do">
        {failure.next}
        {isNotOnPath && (
          <>
            {' '}
            <LinkButton
              onClick={() => workspace.setState({ dialog: { type: 'settings', search: 'shell and path' } })}
            >
              Shell and PATH…
            </LinkButton>
          </>
        )}
      </Fact>
    </Facts>
  );
}

/** What the peer sent and what was tried before, below the buttons: they stay in view however much it is. */
function Detail({ detail, stderr }: { detail: string | null; stderr: readonly string[] }) {
  const paragraphs = detailParagraphs(detail, stderr);
  if (paragraphs.length === 0) return null;
  return (
    <>
      <h3 className={classes.section}>Detail</h3>
      <div className={`${classes.detail} pb-mono pb-selectable`}>
        {paragraphs.map((text, i) => (
          // Paragraphs have no identity but their place.
          // oxlint-disable-next-line react/no-array-index-key
          <p key={i}>{text}</p>
        ))}
      </div>
    </>
  );
}

/** Whether its program is a name that was looked up and not found. */
function isMissing(process: ProcessItem | null | undefined): boolean {
  return process?.resolved === null && !/[/\\]/.test(process.command);
}

function headline(state: ConnectionState, name: string): string {
  switch (state) {
    case 'idle':
      return `${name} is not connected`;
    case 'connecting':
      return `Connecting to ${name}`;
    case 'authorizing':
      return `Authorizing with ${name}`;
    case 'negotiating':
      return `Negotiating with ${name}`;
    case 'ready':
      return `${name} is ready`;
    case 'closing':
      return `Closing ${name}`;
    case 'closed':
      return `The connection to ${name} was closed`;
    case 'failed':
      return `The connection to ${name} failed`;
  }
}

function stepText(state: ConnectionState, isProgram: boolean): string {
  switch (state) {
    case 'connecting':
      return isProgram ? 'Starting the program.' : 'Connecting to the server.';
    case 'authorizing':
      return 'The server requires a token. Requesting one.';
    case 'negotiating':
      return isProgram
        ? 'The program is running; waiting for its versions and capabilities.'
        : 'The server is reachable; waiting for its versions and capabilities.';
    case 'closing':
      return isProgram ? 'Closing its stdin and waiting for it to exit.' : 'Ending the session.';
    case 'idle':
    case 'ready':
    case 'closed':
    case 'failed':
      return '';
  }
}
