import { Modal } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { Group, Panel, type PanelImperativeHandle, Separator } from 'react-resizable-panels';
import { useModel, useUi, useWorkspace } from '../model/workspace/context';
import { useSize } from '../model/workspace/uiState/sizes';
import { useIsNarrower, useLayout } from '../model/workspace/useLayout';
import { HelpDialog } from '../panels/welcome/help/HelpDialog';
import { Inbox } from '../panels/inbox/Inbox';
import { Palette } from '../panels/palette/Palette';
import { Rail } from '../panels/rail/Rail';
import { ProvidersDialog } from '../panels/providers/ProvidersDialog';
import { RootSetsDialog } from '../panels/roots/RootSetsDialog';
import { VaultDialog } from '../panels/vault/VaultDialog';
import { WindowDrop } from '../panels/servers/drop/WindowDrop';
import { PartBoundary } from '../widgets/failure/PartBoundary';
import { Steady } from '../widgets/layout/Steady';
import { Centre } from './Centre';
import { Dialogs } from './Dialogs';
import { Dock } from './Dock';
import { InputPane, WINDOW_GROUP } from './InputPane';
import { LostBanner } from './notices/LostBanner';
import classes from './Shell.module.css';
import { TitleBar } from './TitleBar';
import { ALL_SERVERS, COMMANDS } from './registry/commands';
import { GROUP_COMMANDS } from './registry/groupCommands';
import { SERVER_COMMANDS } from './registry/serverCommands';
import { useAuthorizationOffers } from './offers/useAuthorizationOffers';
import { useDeepLinks } from './offers/useDeepLinks';
import { useFirstDock } from './offers/useFirstDock';
import { useHostWatch } from './offers/useHostWatch';
import { useInputOffers } from './offers/useInputOffers';
import { useShortcuts } from './keys/useShortcuts';
import { useSubmitKey } from './keys/useSubmitKey';
import { useVaultOffers } from './offers/useVaultOffers';

/** The frame: title bar, servers on the left, the selected one in the centre, the dock below. */
export function Shell({ isLost }: { isLost: boolean }) {
  const { ui, link } = useModel();
  const dockOpen = useUi((state) => state.dockOpen);
  const hasInput = useWorkspace(({ openInput }) => openInput !== null);
  // Its tabs.
  const closedDock = useSize('bar');
  const isNarrow = useIsNarrower(hasInput ? 1060 : 760);
  const beside = useLayout(WINDOW_GROUP, ['panes', 'input']);
  const outer = useLayout('outer', ['top', 'dock']);
  const inner = useLayout('inner', ['rail', 'centre']);
  const dock = useRef<PanelImperativeHandle>(null);
  useLayoutEffect(() => {
    if (dockOpen && dock.current?.isCollapsed() === true) dock.current.expand();
    else if (!dockOpen) dock.current?.collapse();
  }, [dockOpen]);

  return (
    <div className={classes.shell}>
      <TitleBar />
      <Steady>{isLost && <LostBanner cause={link.cause} />}</Steady>
      <main className={classes.main}>
        <Group orientation="horizontal" {...beside}>
          <Panel id="panes" minSize="480px">
            <Group orientation="vertical" {...outer}>
              <Panel id="top" minSize="180px">
                <Group orientation="horizontal" {...inner}>
                  <Panel
                    id="rail"
                    defaultSize="248px"
                    minSize="150px"
                    // A narrow window has room for little more than the names.
                    maxSize={isNarrow ? '160px' : '420px'}
                    groupResizeBehavior="preserve-pixel-size"
                  >
                    <div className={classes.rail}>
                      <PartBoundary resetKey="">
                        <Rail
                          commands={SERVER_COMMANDS}
                          groupCommands={GROUP_COMMANDS}
                          allCommands={ALL_SERVERS}
                        />
                      </PartBoundary>
                      <PartBoundary resetKey="">
                        <Inbox />
                      </PartBoundary>
                    </div>
                  </Panel>
                  <Separator className="pb-separator" />
                  <Panel id="centre" minSize="360px">
                    <Centre />
                  </Panel>
                </Group>
              </Panel>
              <Separator className="pb-separator" />
              <Panel
                id="dock"
                panelRef={dock}
                defaultSize="36%"
                minSize="140px"
                collapsible
                collapsedSize={`${closedDock}px`}
                onResize={() => {
                  const open = dock.current?.isCollapsed() !== true;
                  if (open !== ui.getState().dockOpen) ui.setState({ dockOpen: open });
                }}
              >
                <Dock />
              </Panel>
            </Group>
          </Panel>
          <InputPane />
        </Group>
        {/* Menus, lists of choices, dialogs and tips: Mantine takes this element, which a landmark contains, instead of its own. */}
        <div data-portal data-mantine-shared-portal-node />
      </main>
      {/* The vault's dialog opens above the one that needs it: Escape closes only the upper one. */}
      <Modal.Stack>
        <Dialogs />
        <PartBoundary resetKey="">
          <ProvidersDialog />
          <RootSetsDialog />
          <VaultDialog />
          <HelpDialog />
        </PartBoundary>
      </Modal.Stack>
      <Palette commands={COMMANDS} serverCommands={SERVER_COMMANDS} groupCommands={GROUP_COMMANDS} />
      <WindowDrop />
      <Watchers />
    </div>
  );
}

/** Background subscriptions. A separate component, so that they do not render the whole window. */
function Watchers() {
  useShortcuts();
  useSubmitKey();
  useFirstDock();
  useDeepLinks();
  useHostWatch();
  useVaultOffers();
  useAuthorizationOffers();
  useInputOffers();
  return null;
}
