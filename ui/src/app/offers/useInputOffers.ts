import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useActions } from '../../model/workspace/actions';
import { useModel, useWorkspace } from '../../model/workspace/context';
import { nextToOffer } from '../../model/inbox/inputs';
import { notifyOfInputs } from '../../model/inbox/notices';
import { isUserTyping, watchTyping, whenUserIsIdle } from './userActivity';

/**
 * Opens each request of a server once, as soon as the window has the focus and no other dialog or menu is open. What comes while
 * the user types waits in the inbox. While the window is not in front, a notification says that something waits.
 */
export function useInputOffers(): void {
  const { inputs, workspace, host, servers, ui } = useModel();
  const actions = useActions();
  const next = useStore(inputs, (state) => nextToOffer(state)?.id ?? null);
  const isFree = useWorkspace(
    ({ dialog, openInput, vaultOpen }) => dialog === null && openInput === null && !vaultOpen,
  );

  useEffect(() => {
    // What comes while the user types waits in the inbox: it would take the focus from them later too.
    if (next === null || !isFree || isUserTyping()) return undefined;
    let cancel: (() => void) | undefined;
    const offer = (): void => {
      if (!document.hasFocus()) return;
      cancel?.();
      // The dialog that started the call may still be closing.
      cancel = whenUserIsIdle(() => {
        if (inputs.offerAutomatically(next)) workspace.setState({ openInput: next });
      });
    };
    offer();
    window.addEventListener('focus', offer);
    return () => {
      window.removeEventListener('focus', offer);
      cancel?.();
    };
  }, [inputs, workspace, next, isFree]);

  useEffect(
    () =>
      notifyOfInputs(
        host,
        { inputs, servers, ui },
        {
          openInput(inputId) {
            inputs.offer(inputId);
            workspace.setState({ openInput: inputId });
          },
          openRoots(serverId) {
            actions.show(serverId, 'explore');
            ui.setState({ exploreTab: 'roots' });
          },
        },
      ),
    [host, inputs, servers, ui, workspace, actions],
  );

  useEffect(watchTyping, []);
}
