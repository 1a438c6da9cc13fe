import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useStore } from 'zustand';
import type { ServerId } from '../../contract/generated';
import { waitingWords } from '../../model/authorization/authorizationWords';
import { useActions } from '../../model/workspace/actions';
import { useModel, useServerName } from '../../model/workspace/context';
import classes from './PendingInputs.module.css';

/** The authorization that a server requires before it continues a call, with the way to it; nothing if it requires none. */
export function PendingAuthorization({ serverId }: { serverId: ServerId }) {
  const { authorizations } = useModel();
  const { show } = useActions();
  const name = useServerName(serverId) ?? '';
  const run = useStore(authorizations, (all) => all[serverId]?.data?.run ?? null);
  if (run?.state !== 'waiting') return null;
  return (
    <div className={classes.input}>
      <IconKey size={14} aria-hidden />
      <span>
        {name} needs authorization: {waitingWords(run)}
      </span>
      <Button variant="default" size="compact-xs" onClick={() => show(serverId, 'authorization')}>
        Show authorization
      </Button>
    </div>
  );
}
