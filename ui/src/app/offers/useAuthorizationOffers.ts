import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { RunId } from '../../contract/generated';
import { useActions } from '../../model/workspace/actions';
import { noAuthorization } from '../../model/authorization/authorizations';
import { useModel, useServerPart, useUi, useWorkspace } from '../../model/workspace/context';
import { onceUndisturbed } from './disturbance';

/**
 * Shows the authorization of the selected server by itself, once a run: when the server answered 401 while it was being
 * connected, or when a run waits for the user; and only where that disturbs nobody. In any other case the inbox says so.
 */
export function useAuthorizationOffers(): void {
  const { authorizations } = useModel();
  const { show } = useActions();
  const serverId = useUi(({ selectedServer }) => selectedServer);
  const run = useStore(
    authorizations,
    (all) => ((serverId === null ? undefined : all[serverId]) ?? noAuthorization).data?.run ?? null,
  );
  const isReady = useServerPart(serverId, (server) => server?.connection.state === 'ready');
  const isFree = useWorkspace(({ dialog, vaultOpen }) => dialog === null && !vaultOpen);
  const [openedAt] = useState(() => Date.now());
  const offered = useRef(new Set<RunId>());

  useEffect(() => {
    if (serverId === null || run === null || offered.current.has(run.id)) return undefined;
    const isAsked = run.cause !== 'user' && run.cause !== 'forget';
    // A token that is renewed without anybody's doing is nothing to look at.
    const isBegun = run.state === 'failed' || (run.state === 'running' && run.cause === 'challenge');
    const isNews = run.state === 'waiting' || (isBegun && run.startedAtMs >= openedAt && !isReady);
    if (!isAsked || !isNews || !isFree) return undefined;
    // The dialog that began it may still be on its way out.
    return onceUndisturbed(() => {
      offered.current.add(run.id);
      show(serverId, 'authorization');
    });
  }, [serverId, run, isReady, isFree, openedAt, show]);
}
