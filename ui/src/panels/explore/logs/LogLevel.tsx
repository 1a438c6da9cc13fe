import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { CommandError, ServerId } from '../../../contract/generated';
import { useConnection } from '../../../model/connection/connection';
import { DEPRECATED } from '../../../model/connection/deprecated';
import { useHost, useServerPart } from '../../../model/workspace/context';
import { commandError } from '../../../model/store/errors';
import { LOG_LEVELS } from '../../../model/traffic/logQuery';
import classes from './logs.module.css';

/** The minimum level of the server's log messages (`notifications/message`, recorded in the traffic log). */
export function LogLevel({ serverId }: { serverId: ServerId }) {
  const host = useHost();
  const { connection } = useConnection(serverId);
  const isReady = useServerPart(serverId, (server) => server?.connection.state === 'ready');
  const era = connection?.connection.era ?? null;
  const [error, setError] = useState<CommandError | null>(null);

  async function choose(value: string): Promise<void> {
    setError(null);
    try {
      const level = LOG_LEVELS.find((each) => each === value) ?? null;
      await host.call('log_level_set', { serverId, level });
    } catch (thrown) {
      setError(commandError(thrown));
    }
  }

  const level = connection?.logLevel ?? '';
  const { since, migration } = DEPRECATED.logging;
  return (
    <span className={classes.setLevel}>
      <NativeSelect
        size="xs"
        aria-label="Server log level"
        data-tip={`${
          era === 'modern'
            ? 'Sent with each request. Without a level, the server must not log.'
            : 'Sends logging/setLevel: the least severity that the server sends on this connection.'
        } Deprecated in ${since}: ${migration}`}
        disabled={!isReady}
        error={error !== null}
        value={level}
        onChange={(event) => void choose(event.currentTarget.value)}
      >
        <option value="" disabled={era !== 'modern' && level !== ''}>
          {era === 'modern' ? 'Server logs: off' : 'Server logs: default'}
        </option>
        {LOG_LEVELS.map((each) => (
          <option key={each} value={each}>
            Server logs: {each}
            {each === 'emergency' ? '' : ' and above'}
          </option>
        ))}
      </NativeSelect>
      {error !== null && (
        <span className={classes.problem} role="alert" data-tip={error.detail ?? undefined}>
          {error.message}
        </span>
      )}
    </span>
  );
}
