import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useStore } from 'zustand';
import { useModel, useUi } from '../model/workspace/context';
import { useFocusRequest } from '../model/workspace/useFocusRequest';
import { IconButton } from '../widgets/controls/IconButton';
import { PartBoundary } from '../widgets/failure/PartBoundary';
import { useChosenEntry, useShownEntries } from '../widgets/layout/part';
import classes from './Shell.module.css';
import { DOCK_TABS } from './registry/dockTabs';

/** Below every mode: the log and what else concerns all servers. Only its tabs are shown when it is closed. */
export function Dock() {
  const { ui } = useModel();
  const chosen = useChosenTab();
  const open = useUi((state) => state.dockOpen);

  const lead = <DockTabs />;
  const trail = (
    <IconButton
      icon={open ? IconChevronDown : IconChevronUp}
      label={open ? 'Hide the dock' : 'Show the dock'}
      shortcut="dock"
      onClick={() => ui.setState({ dockOpen: !open })}
    />
  );

  return (
    <div className={classes.dock}>
      {open ? (
        <PartBoundary
          resetKey={chosen?.id ?? ''}
          renderFailure={(message) => (
            <>
              <Closed lead={lead} trail={trail} />
              {message}
            </>
          )}
        >
          {chosen !== undefined && <chosen.Part lead={lead} trail={trail} />}
        </PartBoundary>
      ) : (
        <Closed lead={lead} trail={trail} />
      )}
    </div>
  );
}

function useChosenTab() {
  const tab = useUi((state) => state.dockTab);
  const serverId = useUi((state) => state.selectedServer);
  return useChosenEntry(DOCK_TABS, tab, serverId);
}

function Closed({ lead, trail }: { lead: ReactNode; trail: ReactNode }) {
  return (
    <div className={classes.closed}>
      {lead}
      <span style={{ marginLeft: 'auto' }}>{trail}</span>
    </div>
  );
}

function DockTabs() {
  const { ui, appLog } = useModel();
  const selected = useChosenTab()?.id;
  const serverId = useUi((state) => state.selectedServer);
  const hasAppMessages = useStore(appLog, ({ messages, forgotten }) => messages.length + forgotten > 0);
  // Few servers have apps.
  const shown = useShownEntries(DOCK_TABS, serverId).filter(
    ({ entry: { id } }) => id !== 'apps' || id === selected || hasAppMessages,
  );
  useFocusRequest('dock', null, true, () => selected !== undefined && focusTab(selected));

  function choose(dockTab: string): void {
    ui.setState({ dockTab, dockOpen: true });
  }

  function onKeyDown(event: KeyboardEvent): void {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    const usable = shown.filter(({ disabledReason }) => disabledReason === undefined);
    const at = usable.findIndex(({ entry }) => entry.id === selected);
    const target = usable[(at + by + usable.length) % usable.length]?.entry;
    if (target === undefined) return;
    event.preventDefault();
    choose(target.id);
    // The tabs are part of the panel: another panel mounts them again.
    requestAnimationFrame(() => focusTab(target.id));
  }

  return (
    <div className={classes.tabs} role="tablist" aria-label="Dock" tabIndex={-1} onKeyDown={onKeyDown}>
      {shown.map(({ entry: { id, title, Badge }, disabledReason }) => (
        <button
          key={id}
          type="button"
          role="tab"
          data-dock-tab={id}
          className={classes.tab}
          aria-selected={id === selected}
          tabIndex={id === selected ? 0 : -1}
          disabled={disabledReason !== undefined}
          data-tip={disabledReason}
          onClick={() => choose(id)}
        >
          {title}
          {Badge !== undefined && serverId !== null && <Badge serverId={serverId} />}
        </button>
      ))}
    </div>
  );
}

function focusTab(id: string): void {
  document.querySelector<HTMLElement>(`[data-dock-tab="${id}"]`)?.focus();
}
