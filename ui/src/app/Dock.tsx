import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { useModel, useUi } from '../model/workspace/context';
import type { UiState } from '../model/workspace/uiState';
import { OutputPanel } from '../panels/output/OutputPanel';
import { TrafficPanel } from '../panels/traffic/TrafficPanel';
import { IconButton } from '../widgets/controls/IconButton';
import { PartBoundary } from '../widgets/failure/PartBoundary';
import classes from './Shell.module.css';

const TABS: readonly { id: UiState['dockTab']; label: string }[] = [
  { id: 'traffic', label: 'Traffic' },
  { id: 'output', label: 'Server output' },
];

/** What all modes share: the log. Closed, only its tabs are left. */
export function Dock() {
  const { ui } = useModel();
  const tab = useUi((state) => state.dockTab);
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
          resetKey={tab}
          renderFailure={(message) => (
            <>
              <Closed lead={lead} trail={trail} />
              {message}
            </>
          )}
        >
          <Content tab={tab} lead={lead} trail={trail} />
        </PartBoundary>
      ) : (
        <Closed lead={lead} trail={trail} />
      )}
    </div>
  );
}

function Content({ tab, lead, trail }: { tab: UiState['dockTab']; lead: ReactNode; trail: ReactNode }) {
  switch (tab) {
    case 'traffic':
      return <TrafficPanel lead={lead} trail={trail} />;
    case 'output':
      return <OutputPanel lead={lead} trail={trail} />;
  }
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
  const { ui } = useModel();
  const selected = useUi((state) => state.dockTab);
  const list = useRef<HTMLDivElement>(null);

  function choose(dockTab: UiState['dockTab']): void {
    ui.setState({ dockTab, dockOpen: true });
  }

  function onKeyDown(event: KeyboardEvent): void {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    const at = TABS.findIndex(({ id }) => id === selected);
    const next = (at + by + TABS.length) % TABS.length;
    const target = TABS[next];
    if (target === undefined) return;
    event.preventDefault();
    choose(target.id);
    // The tabs are drawn anew with the panel they belong to.
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-dock-tab="${target.id}"]`)?.focus(),
    );
  }

  return (
    <div
      ref={list}
      className={classes.tabs}
      role="tablist"
      aria-label="Dock"
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      {TABS.map(({ id, label }) => (
        <button
          key={id}
          type="button"
          role="tab"
          data-dock-tab={id}
          className={classes.tab}
          aria-selected={id === selected}
          tabIndex={id === selected ? 0 : -1}
          onClick={() => choose(id)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
