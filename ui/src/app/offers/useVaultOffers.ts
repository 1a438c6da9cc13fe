import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { isUnderWay } from '../../model/authorization/authorizationWords';
import { useModel, useWorkspace } from '../../model/workspace/context';
import { needsUser } from '../../model/vault/vault';
import { onceUndisturbed } from './disturbance';

/**
 * Asks for the vault by itself, once for each way it comes to wait for the user, where that disturbs nobody: not while an
 * authorization is under way, which goes on without it.
 */
export function useVaultOffers(): void {
  const { vault, workspace, authorizations } = useModel();
  const state = useStore(vault, ({ known }) => known?.state);
  const isAuthorizing = useStore(authorizations, (all) =>
    Object.values(all).some(({ data }) => isUnderWay(data?.run ?? null)),
  );
  const isAsking = useWorkspace(({ vaultOpen }) => vaultOpen);
  const isFree = useWorkspace(({ dialog }) => dialog === null) && !isAsking && !isAuthorizing;
  const offered = useRef<string | null>(null);

  useEffect(() => void vault.refresh(), [vault]);

  useEffect(() => {
    if (!needsUser(state)) {
      offered.current = null;
      return undefined;
    }
    // Whoever opened it: what was asked and put off is not asked again.
    if (isAsking && state !== undefined) offered.current = state.type;
    if (state === undefined || offered.current === state.type || !isFree) return undefined;
    return onceUndisturbed(() => {
      offered.current = state.type;
      workspace.setState({ vaultOpen: true });
    });
  }, [workspace, state, isFree, isAsking]);
}
