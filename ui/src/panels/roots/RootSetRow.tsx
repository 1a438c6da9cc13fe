import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import type { CommandError, RootSetItem } from '../../contract/generated';
import { commandError } from '../../model/store/errors';
import { formatCount } from '../../model/text/format';
import { useModel } from '../../model/workspace/context';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import { useUsers } from './useUsers';
import classes from './rootSets.module.css';

/** A shared set, who uses it, and what can be done with it. */
export function RootSetRow({ item, onEdit }: { item: RootSetItem; onEdit: () => void }) {
  const { roots } = useModel();
  const users = useUsers(item);
  const [removing, setRemoving] = useState(false);
  const [error, setError] = useState<CommandError | null>(null);
  const paths = item.folders.map(({ path }) => path).join(', ');
  return (
    <li className={classes.row} aria-label={item.name}>
      <div className={classes.what}>
        <b className="pb-ellipsis">{item.name}</b>
        <span className={`${classes.dim} pb-ellipsis`}>
          {formatCount(item.folders.length, 'folder')}
          {paths !== '' && (
            <>
              : <span className="pb-mono">{paths}</span>
            </>
          )}
        </span>
        <span className={`${classes.dim} pb-ellipsis`}>{users === '' ? 'Not used' : `Used by ${users}`}</span>
      </div>
      <Group gap={4} wrap="nowrap">
        {removing ? (
          <>
            <Button size="compact-sm" variant="default" onClick={() => setRemoving(false)}>
              Keep
            </Button>
            <Button
              size="compact-sm"
              color="red"
              onClick={() => {
                roots.remove(item.id).catch((thrown: unknown) => setError(commandError(thrown)));
              }}
            >
              Remove
            </Button>
          </>
        ) : (
          <>
            <Button size="compact-sm" variant="subtle" color="gray" onClick={onEdit}>
              Edit
            </Button>
            <Button size="compact-sm" variant="subtle" color="gray" onClick={() => setRemoving(true)}>
              Remove…
            </Button>
          </>
        )}
      </Group>
      {removing && users !== '' && (
        <p className={classes.warn} role="alert">
          {users} {item.usedBy.length === 1 ? 'uses' : 'use'} this set and will not get its folders any more.
        </p>
      )}
      {error !== null && <CommandAlert error={error} onClose={() => setError(null)} />}
    </li>
  );
}
