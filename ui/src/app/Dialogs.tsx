import { Button, Group, Modal, ModalStackContext, Stack, Text } from '@mantine/core';
import { Suspense, use, useEffect, useEffectEvent } from 'react';
import type { CommandError } from '../contract/generated';
import { fullName } from '../model/connection/serverName';
import { useModel, useServers, useWorkspace } from '../model/workspace/context';
import type { Dialog, Workspace } from '../model/workspace/workspace';
import { DoctorDialog } from '../panels/connection/doctor/DoctorDialog';
import { RemoveDialog } from '../panels/servers/RemoveDialog';
import { GroupDialog } from '../panels/servers/groups/GroupDialog';
import { RemoveGroupDialog } from '../panels/servers/groups/RemoveGroupDialog';
import { ServerGroupsDialog } from '../panels/servers/groups/ServerGroupsDialog';
import { SwitchDialog } from '../panels/servers/groups/SwitchDialog';
import { ServerDialog } from '../panels/servers/ServerDialog';
import { PlainSecretsDialog } from '../panels/vault/PlainSecretsDialog';
import { CommandAlert } from '../widgets/failure/CommandAlert';
import { PartBoundary } from '../widgets/failure/PartBoundary';
import { lazyPart } from '../widgets/failure/lazyPart';
import { COMMANDS } from './registry/commands';
import { SERVER_COMMANDS } from './registry/serverCommands';
import { ShortcutsDialog } from './ShortcutsDialog';
import { useFocusReturn } from '../widgets/focus/useFocusReturn';

// The first paint does not need the code viewer in it.
const BundleDialog = lazyPart(
  async () => (await import('../panels/servers/bundle/BundleDialog')).BundleDialog,
);
const DroppedDialog = lazyPart(
  async () => (await import('../panels/servers/drop/DroppedDialog')).DroppedDialog,
);
const ChangesDialog = lazyPart(
  async () => (await import('../panels/explore/tools/definitions/ChangesDialog')).ChangesDialog,
);
const TerminalDialog = lazyPart(
  async () => (await import('../panels/servers/TerminalDialog')).TerminalDialog,
);
const ExportDialog = lazyPart(async () => (await import('../panels/servers/ExportDialog')).ExportDialog);
const ImportDialog = lazyPart(
  async () => (await import('../panels/servers/import/ImportDialog')).ImportDialog,
);
const RegistryDialog = lazyPart(
  async () => (await import('../panels/servers/registry/RegistryDialog')).RegistryDialog,
);
const SamplingRulesDialog = lazyPart(
  async () => (await import('../panels/inbox/sampling/SamplingRulesDialog')).SamplingRulesDialog,
);
const SettingsDialog = lazyPart(
  async () => (await import('../panels/settings/SettingsDialog')).SettingsDialog,
);
const KeysDialog = lazyPart(async () => (await import('../panels/settings/keys/KeysDialog')).KeysDialog);
const SimulatorDialog = lazyPart(
  async () => (await import('../panels/simulator/SimulatorDialog')).SimulatorDialog,
);

/** The number of each dialog that was opened: another file in the same dialog is another dialog. */
const numbers = new WeakMap<Dialog, number>();
let newest = 0;

function numberOf(dialog: Dialog): number {
  let number = numbers.get(dialog);
  if (number === undefined) {
    newest += 1;
    number = newest;
    numbers.set(dialog, number);
  }
  return number;
}

/** The dialogs that are always there, open or not. */
const LASTING = new Set(['help', 'providers', 'root-sets', 'vault']);

/** Has Mantine forget the dialog when it is gone: it does so only when one closes, and would keep it above the next. */
function useForgottenDialog(): void {
  const stack = use(ModalStackContext);
  const forget = useEffectEvent(() => {
    for (const id of stack?.stack ?? []) if (!LASTING.has(id)) stack?.removeModal(id);
  });
  useEffect(() => () => forget(), []);
}

/** The open modal dialog; there is at most one. */
export function Dialogs() {
  const { workspace } = useModel();
  const dialog = useWorkspace((state) => state.dialog);
  useFocusReturn(dialog !== null);
  if (dialog === null) return null;
  const close = (): void => {
    // A dialog closes itself when its work is done; by then the user may have closed it and opened another.
    if (workspace.getState().dialog !== dialog) return;
    workspace.setState({ dialog: 'after' in dialog && dialog.after !== undefined ? dialog.after : null });
  };
  const number = numberOf(dialog);
  return (
    <PartBoundary
      resetKey={String(number)}
      renderFailure={(message) => (
        <Modal opened onClose={close} title="Patchbay">
          {message}
        </Modal>
      )}
    >
      <Content key={number} dialog={dialog} onClose={close} />
    </PartBoundary>
  );
}

function Content({
  dialog,
  onClose: close,
}: {
  dialog: NonNullable<Workspace['dialog']>;
  onClose: () => void;
}) {
  useForgottenDialog();
  const server = useServers(({ items }) =>
    'serverId' in dialog ? items?.find(({ id }) => id === dialog.serverId) : undefined,
  );
  const isGone =
    useServers(({ items }) => 'serverId' in dialog && items !== undefined) && server === undefined;
  if (isGone) return <RemovedServer isWanted={dialog.type === 'removeServer'} onClose={close} />;

  switch (dialog.type) {
    case 'shortcuts':
      return <ShortcutsDialog onClose={close} />;
    case 'keys':
      return (
        <Suspense>
          <KeysDialog commands={COMMANDS} serverCommands={SERVER_COMMANDS} onClose={close} />
        </Suspense>
      );
    case 'settings':
      return (
        <Suspense>
          <SettingsDialog search={dialog.search} onClose={close} />
        </Suspense>
      );
    case 'addServer':
      return <ServerDialog server={null} pasted={dialog.pasted} onClose={close} />;
    case 'addBundle':
      return (
        <Suspense>
          <BundleDialog bundle={dialog.bundle} onClose={close} />
        </Suspense>
      );
    case 'addRegistry':
      return (
        <Suspense>
          <RegistryDialog source={dialog.source} onClose={close} />
        </Suspense>
      );
    case 'importServers':
      return (
        <Suspense>
          <ImportDialog source={dialog.source} onClose={close} />
        </Suspense>
      );
    case 'dropped':
      return (
        <Suspense>
          <DroppedDialog items={dialog.items} onClose={close} />
        </Suspense>
      );
    case 'editServer':
      return server && <ServerDialog server={server} pasted="" at={dialog.at} onClose={close} />;
    case 'removeServer':
      return server && <RemoveDialog server={server} onClose={close} />;
    case 'group':
      return <GroupDialog group={dialog.group} onClose={close} />;
    case 'removeGroup':
      return <RemoveGroupDialog group={dialog.group} onClose={close} />;
    case 'serverGroups':
      return server && <ServerGroupsDialog server={server} onClose={close} />;
    case 'switchServers':
      return <SwitchDialog change={dialog.change} onClose={close} />;
    case 'doctor':
      return server && <DoctorDialog server={server} onClose={close} />;
    case 'plainSecrets':
      return <PlainSecretsDialog onClose={close} />;
    case 'samplingRules':
      return (
        server && (
          <Suspense>
            <SamplingRulesDialog serverId={server.id} serverName={fullName(server)} onClose={close} />
          </Suspense>
        )
      );
    case 'simulator':
      return (
        server && (
          <Suspense>
            <SimulatorDialog server={server} onClose={close} />
          </Suspense>
        )
      );
    case 'serverChanges':
      return (
        server && (
          <Suspense>
            <ChangesDialog serverId={server.id} serverName={fullName(server)} onClose={close} />
          </Suspense>
        )
      );
    case 'terminalFailed':
      return (
        server && (
          <Suspense>
            <TerminalDialog server={server} error={dialog.error} onClose={close} />
          </Suspense>
        )
      );
    case 'failed':
      return <FailedDialog title={dialog.title} error={dialog.error} onClose={close} />;
    case 'exportServer':
      return (
        server && (
          <Suspense>
            <ExportDialog server={server} onClose={close} />
          </Suspense>
        )
      );
  }
}

/** In place of the dialog of a server that was removed elsewhere. If that was what the dialog was for, it closes. */
function RemovedServer({ isWanted, onClose }: { isWanted: boolean; onClose: () => void }) {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (isWanted) close();
  }, [isWanted]);
  if (isWanted) return null;
  return (
    <Modal opened onClose={onClose} title="This server was removed" size={420}>
      <Text mb="md">It was removed in another window or in servers.json.</Text>
      <Group justify="flex-end">
        <Button variant="default" data-autofocus onClick={onClose}>
          Close
        </Button>
      </Group>
    </Modal>
  );
}

/** Why a command failed that has no place of its own for the error. */
function FailedDialog({
  title,
  error,
  onClose,
}: {
  title: string;
  error: CommandError;
  onClose: () => void;
}) {
  return (
    <Modal opened onClose={onClose} title={title} size="md">
      <Stack gap="md">
        <CommandAlert error={error} />
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={onClose}>
            Close
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
