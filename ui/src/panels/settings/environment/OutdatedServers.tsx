import { Button } from '@mantine/core';
import type { ServerId } from '../../../contract/generated';
import { fullName } from '../../../model/connection/serverName';
import { useActions } from '../../../model/workspace/actions';
import { useServers } from '../../../model/workspace/context';
import dialogClasses from '../SettingsDialog.module.css';
import classes from './environment.module.css';

interface OutdatedServersProps {
  ids: readonly ServerId[];
  onRestarted: () => void;
}

/** The running servers that were started with another environment, and restarting them. */
export function OutdatedServers({ ids, onRestarted }: OutdatedServersProps) {
  const actions = useActions();
  const items = useServers((state) => state.items) ?? [];
  const servers = items.filter(({ id }) => ids.includes(id));
  if (servers.length === 0) return null;
  return (
    <div role="group" aria-label="Restart needed">
      <p className={classes.words}>
        Restart needed: these servers run with the environment that they were started with.
      </p>
      <ul className={dialogClasses.list}>
        {servers.map((server) => (
          <li key={server.id}>
            <span>{fullName(server)}</span>
            <Button
              variant="subtle"
              color="gray"
              size="compact-xs"
              aria-label={`Restart ${fullName(server)}`}
              onClick={() => void actions.restart(server.id).then(onRestarted)}
            >
              Restart
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
