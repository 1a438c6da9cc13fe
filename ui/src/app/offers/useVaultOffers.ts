import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { isAnyUnderWay } from '../../model/authorization/authorizations';
import { useModel, useWorkspace } from '../../model/workspace/context';
import { needsUser } from '../../model/vault/vault';
import { whenUserIsIdle } from './userActivity';

/**
 * Opens the dialog of the vault when it needs the user, once for each reason and when the user is not busy; not during an
 * authorization, which continues without it.
 */
export function useVaultOffers(): void {
  const { vault, workspace, authorizations } = useModel();
  const state = useStore(vault, ({ known }) => known?.state);
  const isAuthorizing = useStore(authorizations, isAnyUnderWay);
  const isAsking = useWorkspace(({ vaultOpen }) => vaultOpen);
  const isFree =
    useWorkspace(({ dialog, openInput }) => dialog === null && openInput === null) &&
    !isAsking &&
    !isAuthorizing;
  const offered = useRef<string | null>(null);

  useEffect(() => void vault.refresh(), [vault]);

  useEffect(() => {
    if (!needsUser(state)) {
      offered.current = null;
      return undefined;
    }
    // However it was opened: a request that was dismissed is not shown again.
    if (isAsking && state !== undefined) offered.current = state.type;
    if (state === undefined || offered.current === state.type || !isFree) return undefined;
    let cancel = (): void => undefined;
    let isOver = false;
    // The run that needs the vault began before, but may still be loading.
    void authorizations.settled().then(() => {
      if (isOver || isAnyUnderWay(authorizations.getState())) return;
      cancel = whenUserIsIdle(() => {
        offered.current = state.type;
        workspace.setState({ vaultOpen: true });
      });
    });
    return () => {
      isOver = true;
      cancel();
    };
  }, [workspace, authorizations, state, isFree, isAsking]);
}
