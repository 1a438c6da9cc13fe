import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useModel, useWorkspace } from '../../model/workspace/context';
import { nextToOffer } from '../../model/inbox/inputs';
import { notifyOfInputs } from '../../model/inbox/notices';
import { isUserBusy, watchTyping } from './userActivity';

/**
 * Opens each request of a server once, if the window has the focus and the user is not busy; otherwise it waits in the
 * inbox, and a notification says so.
 */
export function useInputOffers(): void {
  const { inputs, workspace, host, ui } = useModel();
  const next = useStore(inputs, (state) => nextToOffer(state)?.id ?? null);
  const isFree = useWorkspace(({ dialog, vaultOpen }) => dialog === null && !vaultOpen);

  useEffect(() => {
    if (next === null || !isFree || !document.hasFocus() || isUserBusy()) return;
    if (inputs.offerAutomatically(next)) workspace.setState({ dialog: { type: 'input', inputId: next } });
  }, [inputs, workspace, next, isFree]);

  useEffect(
    () =>
      notifyOfInputs(host, inputs, ui, (inputId) => {
        inputs.offer(inputId);
        workspace.setState({ dialog: { type: 'input', inputId } });
      }),
    [host, inputs, ui, workspace],
  );

  useEffect(watchTyping, []);
}
