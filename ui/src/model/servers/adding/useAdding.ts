import { useEffect, useEffectEvent, useState } from 'react';
import { useStore } from 'zustand';
import type { CommandError, ServerId } from '../../../contract/generated';
import { commandError } from '../../store/errors';
import { useActions } from '../../workspace/actions';
import { useModel } from '../../workspace/context';

/** Adds a server that was reviewed: with its vault, which may have to be opened first, and connected if wanted. */
export function useAdding(
  /** Adds it. `plainSecrets`: secrets are stored as plaintext in the settings, at the user's choice. */
  add: (plainSecrets: boolean) => Promise<ServerId>,
  onDone: () => void,
) {
  const { servers, vault, workspace } = useModel();
  const actions = useActions();
  const [error, setError] = useState<CommandError | null>(null);
  const [adding, setAdding] = useState(false);
  /** What waits for the vault. */
  const [held, setHeld] = useState<{ connect: boolean } | null>(null);
  const isVaultReady = useStore(vault, ({ known }) => known?.state.type === 'ready');

  useEffect(() => void vault.refresh(), [vault]);

  const goOn = useEffectEvent(() => {
    if (held !== null) void run(held.connect);
  });
  useEffect(() => {
    if (isVaultReady) goOn();
  }, [isVaultReady]);

  async function run(connect: boolean, plainSecrets = false): Promise<void> {
    setAdding(true);
    setError(null);
    setHeld(null);
    try {
      const serverId = await add(plainSecrets);
      await servers.refresh();
      actions.select(serverId);
      onDone();
      if (connect) await actions.connect(serverId);
    } catch (thrown) {
      const failure = commandError(thrown);
      setError(failure);
      if (failure.code === 'vaultNeeded') {
        setHeld({ connect });
        workspace.setState({ vaultOpen: true });
      }
    } finally {
      setAdding(false);
    }
  }

  return {
    error,
    adding,
    run,
    dismissError: () => {
      setError(null);
      setHeld(null);
    },
  };
}
