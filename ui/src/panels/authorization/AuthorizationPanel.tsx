import { Button } from '@mantine/core';
import { IconAlertTriangle, IconPencil } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import type { ServerId } from '../../contract/generated';
import { useAuthorization, useModel, useServerPart } from '../../model/workspace/context';
import { shownRun } from '../../model/authorization/authorizations';
import { Waiting } from '../../widgets/status/Waiting';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import { EmptyState } from '../../widgets/layout/EmptyState';
import { Pane } from '../../widgets/layout/Pane';
import { AuthorizationBar } from './AuthorizationBar';
import { ForgetButton } from './ForgetButton';
import { RunView } from './run/RunView';
import { StartButton } from './StartButton';
import { TokenView } from './token/TokenView';
import classes from './authorization.module.css';

interface AuthorizationPanelProps {
  serverId: ServerId;
  /** The switch between the modes; it comes first in the bar. */
  lead: ReactNode;
}

/** How Patchbay gets a token for a server: the run, step by step, and the token. */
export function AuthorizationPanel({ serverId, lead }: AuthorizationPanelProps) {
  const { authorizations, workspace } = useModel();
  const { error } = useAuthorization(serverId);
  useEffect(() => void authorizations.refresh(serverId), [authorizations, serverId]);
  return (
    <Pane label="Authorization">
      <AuthorizationBar serverId={serverId} lead={lead} />
      {error !== null && (
        <CommandAlert error={error} onClose={() => authorizations.dismissError(serverId)}>
          {error.code === 'vaultNeeded' && (
            <Button variant="default" onClick={() => workspace.setState({ vaultOpen: true })}>
              Open the vault…
            </Button>
          )}
          <Button variant="default" onClick={() => void authorizations.retry(serverId)}>
            Try again
          </Button>
        </CommandAlert>
      )}
      <Problem serverId={serverId} />
      <div className={classes.content}>
        <Content serverId={serverId} />
      </div>
    </Pane>
  );
}

/** What is wrong with the way the authorization is stored. If it cannot be read, it can be forgotten. */
function Problem({ serverId }: { serverId: ServerId }) {
  const { data } = useAuthorization(serverId);
  if (data === undefined || data.problem === null) return null;
  return (
    <div className={`${classes.warning} pb-selectable`}>
      <IconAlertTriangle size={14} aria-hidden />
      <p role="status">{data.problem}</p>
      {data.token === null && data.client === null && <ForgetButton serverId={serverId} token={null} />}
    </div>
  );
}

function Content({ serverId }: { serverId: ServerId }) {
  const authorization = useAuthorization(serverId);
  const url = useServerPart(serverId, (server) =>
    server?.draft.transport.type === 'http' ? server.draft.transport.url : null,
  );
  const run = shownRun(authorization);
  if (url === null) return null;
  if (authorization.data === undefined) {
    return authorization.error === null && <Waiting text="Loading…" />;
  }
  if (run !== null) return <RunView serverId={serverId} run={run} serverUrl={url} />;
  // A stored token from an earlier start: there is no run to show.
  if (authorization.data.token !== null) {
    return (
      <div className={classes.alone}>
        <TokenView serverId={serverId} />
      </div>
    );
  }
  return <NeverRun serverId={serverId} />;
}

function NeverRun({ serverId }: { serverId: ServerId }) {
  const { workspace } = useModel();
  const hasClient = (useAuthorization(serverId).data?.client ?? null) !== null;
  const mode = useServerPart(serverId, (server) => server?.draft.authorization?.mode ?? 'auto');
  const ready = useServerPart(serverId, (server) => server?.connection.state === 'ready');
  if (mode === 'off') {
    return (
      <EmptyState
        title="Authorization is off"
        text="A 401 is shown as an error. Turn on authorization in the server settings."
      >
        <Button
          variant="default"
          leftSection={<IconPencil size={16} />}
          onClick={() => workspace.setState({ dialog: { type: 'editServer', serverId } })}
        >
          Edit server…
        </Button>
        {hasClient && <ForgetButton serverId={serverId} token={null} />}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={ready ? 'The server has not required authorization' : 'Not authorized yet'}
      text="When the server returns 401, authorization starts here automatically and shows every exchange. Start it yourself to see what the server publishes."
    >
      <StartButton serverId={serverId} variant="default" />
      {hasClient && <ForgetButton serverId={serverId} token={null} />}
    </EmptyState>
  );
}
