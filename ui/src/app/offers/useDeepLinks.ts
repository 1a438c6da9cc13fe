import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useModel, useWorkspace } from '../../model/workspace/context';

/**
 * Shows each link that the program was started with in the dialog that adds a server, one after the other. Nothing runs before
 * the user saves it.
 */
export function useDeepLinks(): void {
  const { deepLinks, workspace } = useModel();
  const isWaiting = useStore(deepLinks, ({ waiting }) => waiting.length > 0);
  const isFree = useWorkspace(({ dialog }) => dialog === null);

  useEffect(() => void deepLinks.pull(), [deepLinks]);

  useEffect(() => {
    if (!isWaiting || !isFree) return;
    const link = deepLinks.next();
    if (link !== undefined) workspace.setState({ dialog: { type: 'addServer', pasted: link } });
  }, [deepLinks, isWaiting, isFree, workspace]);
}
