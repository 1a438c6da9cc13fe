import { useModel, useServers, useWorkspace } from '../model/context';
import { ExportDialog } from '../panels/servers/ExportDialog';
import { RemoveDialog } from '../panels/servers/RemoveDialog';
import { ServerDialog } from '../panels/servers/ServerDialog';
import { ShortcutsDialog } from './ShortcutsDialog';

/** The one dialog that may be open. */
export function Dialogs() {
  const { workspace } = useModel();
  const dialog = useWorkspace((state) => state.dialog);
  const server = useServers(({ items }) =>
    dialog !== null && 'serverId' in dialog ? items?.find(({ id }) => id === dialog.serverId) : undefined,
  );
  if (dialog === null) return null;
  const close = (): void => workspace.setState({ dialog: null });

  switch (dialog.type) {
    case 'shortcuts':
      return <ShortcutsDialog onClose={close} />;
    case 'addServer':
      return <ServerDialog server={null} pasted={dialog.pasted} onClose={close} />;
    case 'editServer':
      return server && <ServerDialog server={server} pasted="" onClose={close} />;
    case 'removeServer':
      return server && <RemoveDialog server={server} onClose={close} />;
    case 'exportServer':
      return server && <ExportDialog server={server} onClose={close} />;
  }
}
