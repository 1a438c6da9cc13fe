import type { ServerId } from '../../../contract/generated';
import { readCapabilities } from '../../../model/connection/capabilities';
import { useConnection } from '../../../model/connection/connection';
import type { LogSource } from '../../../model/traffic/logQuery';
import { EmptyState } from '../../../widgets/layout/EmptyState';
import { DeprecatedNote } from '../../../widgets/links/DeprecatedNote';

/** Why there are no log lines of a server, and what would bring some. */
export function NoLogs({ serverId, source }: { serverId: ServerId; source: LogSource }) {
  const { connection } = useConnection(serverId);
  if (source === 'stderr') {
    return connection?.http === null || connection === undefined ? (
      <EmptyState
        title="No output yet"
        text="Lines that the server writes to stderr appear here as it writes them."
      />
    ) : (
      <EmptyState title="No stderr" text="Patchbay cannot read the stderr of an HTTP server." />
    );
  }
  const declared = connection?.serverCapabilitiesJson ?? null;
  const capabilities = declared === null ? null : readCapabilities(declared);
  if (capabilities !== null && !capabilities.some(({ name }) => name === 'logging')) {
    return (
      <EmptyState
        title="Logging not supported"
        text="The server does not declare the logging capability. Messages that it sends anyway appear here."
      />
    );
  }
  if (connection?.connection.era === 'modern' && connection.logLevel === null) {
    return (
      <EmptyState
        title="Server logs are off"
        text="In this revision, a server logs only at the level that a request sets. Choose a level under “Server logs” to send it with each request."
      >
        <DeprecatedNote feature="logging" isInline />
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No logs yet"
      text="Log messages that the server sends, and lines that it writes to stderr, appear here."
    >
      {capabilities !== null && <DeprecatedNote feature="logging" isInline />}
    </EmptyState>
  );
}
