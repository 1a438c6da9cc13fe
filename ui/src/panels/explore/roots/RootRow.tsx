import { Button } from '@mantine/core';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { CommandError, RootItem, ServerId } from '../../../contract/generated';
import { rootStatus } from '../../../model/servers/roots/rootWords';
import { commandError } from '../../../model/store/errors';
import { useModel } from '../../../model/workspace/context';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { StepGlyph } from '../../../widgets/status/StepGlyph';
import classes from './roots.module.css';

/** A folder: whether the server gets it, what is sent, where it is set, and the user's decision, once there is something to decide. */
export function RootRow({ serverId, folder }: { serverId: ServerId; folder: RootItem }) {
  const { roots } = useModel();
  const sets = useStore(roots, (state) => state.sets);
  const [error, setError] = useState<CommandError | null>(null);
  const { path, name, uri, state, consent, isOwn } = folder;
  const { status, word } = rootStatus(folder);
  const names = folder.sets.map((id) => sets?.find((set) => set.id === id)?.name ?? 'shared set');
  const sources = [...(isOwn ? ['This server'] : []), ...names];
  const decide = (isAllowed: boolean): void => {
    setError(null);
    roots.decide(serverId, [path], isAllowed).catch((thrown: unknown) => setError(commandError(thrown)));
  };
  return (
    <li className={classes.row} aria-label={`${path}: ${word}`}>
      <span className={classes.status}>
        <StepGlyph status={status} /> {word}
      </span>
      <span className={`${classes.what} pb-selectable`}>
        <b className="pb-ellipsis">{name ?? path}</b>
        <span className={`${classes.uri} pb-mono pb-ellipsis`} data-tip={path}>
          {uri ?? path}
        </span>
      </span>
      <span className={`${classes.source} pb-ellipsis`} data-tip={sources.join(', ')}>
        {sources.join(', ')}
      </span>
      <span className={classes.actions}>
        {state === 'ready' && (
          <Button
            variant="subtle"
            color={consent === 'allowed' ? 'gray' : undefined}
            size="compact-xs"
            aria-label={`${consent === 'allowed' ? 'Decline' : 'Allow'} ${path}`}
            onClick={() => decide(consent !== 'allowed')}
          >
            {consent === 'allowed' ? 'Decline' : 'Allow'}
          </Button>
        )}
      </span>
      {error !== null && <CommandAlert error={error} onClose={() => setError(null)} />}
    </li>
  );
}
