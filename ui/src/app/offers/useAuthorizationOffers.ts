import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { RunId } from '../../contract/generated';
import { useActions } from '../../model/workspace/actions';
import { noAuthorization } from '../../model/authorization/authorizations';
import { useMode, useModel, useServerPart, useUi, useWorkspace } from '../../model/workspace/context';
import { whenUserIsIdle } from './userActivity';

/**
 * Shows the authorization of the selected server, once per run: when the server answered 401 during a connect, or when a
 * run waits for the user; and only when the user is not busy. Otherwise the inbox shows it, and in a conversation the call that
 * needs it.
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
  const isInChat = useMode(serverId) === 'chat';
  const isFree = useWorkspace(
    ({ dialog, openInput, vaultOpen }) => dialog === null && openInput === null && !vaultOpen,
  );
  const [openedAt] = useState(() => Date.now());
  const offered = useRef(new Set<RunId>());

  useEffect(() => {
    if (serverId === null || run === null || offered.current.has(run.id)) return undefined;
    const isAsked = run.cause !== 'user' && run.cause !== 'forget';
    // A token that is renewed automatically is not shown.
    const isBegun = run.state === 'failed' || (run.state === 'running' && run.cause === 'challenge');
    const isNews = run.state === 'waiting' || (isBegun && run.startedAtMs >= openedAt && !isReady);
    if (!isAsked || !isNews || !isFree || isInChat) return undefined;
    // The dialog that started it may still be closing.
    return whenUserIsIdle(() => {
      offered.current.add(run.id);
      show(serverId, 'authorization');
    });
  }, [serverId, run, isReady, isFree, isInChat, openedAt, show]);
}
