import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useModel, useWorkspace } from '../../model/workspace/context';
import { nextToOffer } from '../../model/inbox/inputs';
import { isDisturbing, watchTyping } from './disturbance';

/**
 * Opens what a server asks, once, where that disturbs nobody: the window has the focus, nothing else is open, and nobody
 * is in the middle of a word. In any other case it waits in the inbox.
 */
export function useInputOffers(): void {
  const { inputs, workspace } = useModel();
  const next = useStore(inputs, (state) => nextToOffer(state)?.id ?? null);
  const isFree = useWorkspace(({ dialog, vaultOpen }) => dialog === null && !vaultOpen);

  useEffect(() => {
    if (next === null || !isFree || !document.hasFocus() || isDisturbing()) return;
    inputs.offer(next);
    workspace.setState({ dialog: { type: 'input', inputId: next } });
  }, [inputs, workspace, next, isFree]);

  useEffect(watchTyping, []);
}
