import { Button } from '@mantine/core';
import { useState } from 'react';
import type { CommandError, ConnectionState, Era, ServerId } from '../../../contract/generated';
import { useHost } from '../../../model/workspace/context';
import { commandError } from '../../../model/store/errors';
import { formatDuration } from '../../../model/text/format';
import classes from './info.module.css';

interface PingProps {
  serverId: ServerId;
  state: ConnectionState;
  era: Era | null;
}

/** Pings the server. Only the legacy era has `ping`. */
export function Ping({ serverId, state, era }: PingProps) {
  const host = useHost();
  const [running, setRunning] = useState(false);
  const [answer, setAnswer] = useState<number | null>(null);
  const [error, setError] = useState<CommandError | null>(null);
  if (era === 'modern') return <>Revision 2026-07-28 has no ping: there is no session to keep alive.</>;
  const ping = async (): Promise<void> => {
    setRunning(true);
    setError(null);
    try {
      setAnswer((await host.call('connection_ping', { serverId })).durationMs);
    } catch (thrown) {
      setAnswer(null);
      setError(commandError(thrown));
    }
    setRunning(false);
  };
  return (
    <span className={classes.ping}>
      <Button
        variant="default"
        size="compact-xs"
        loading={running}
        disabled={state !== 'ready'}
        onClick={() => void ping()}
      >
        Ping
      </Button>
      <output className="pb-num">{answer === null ? '' : `answered in ${formatDuration(answer)}`}</output>
      {error !== null && (
        <span className={classes.error} role="alert">
          {error.message}
        </span>
      )}
    </span>
  );
}
