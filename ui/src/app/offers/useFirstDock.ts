import { useLayoutEffect, useRef } from 'react';
import { useModel, useServers, useUi } from '../../model/workspace/context';

/**
 * Shows only the tabs of the dock until a server is connected for the first time: an empty log would take a third of the first
 * window. It then opens by itself, unless the user has opened it before; what the user chose stays.
 */
export function useFirstDock(): void {
  const { ui } = useModel();
  const count = useServers(({ items }) => items?.length);
  const isActive = useServers(
    ({ items }) => items?.some(({ connection: { state } }) => state !== 'idle') === true,
  );
  const waits = useUi(({ dockWaits }) => dockWaits);
  const open = useUi(({ dockOpen }) => dockOpen);
  const isClosed = useRef(false);
  useLayoutEffect(() => {
    if (!waits || count === undefined) return;
    if (isActive) ui.setState({ dockWaits: false, dockOpen: true });
    else if (count === 0 && !isClosed.current) {
      isClosed.current = true;
      ui.setState({ dockOpen: false });
    } else if (open) ui.setState({ dockWaits: false });
  }, [ui, waits, count, isActive, open]);
}
