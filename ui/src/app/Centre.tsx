import { Button } from '@mantine/core';
import { Activity, Suspense, useEffect, useMemo } from 'react';
import { useActions } from '../model/workspace/actions';
import {
  useMode,
  useModel,
  useServerPart,
  useServers,
  useUi,
  useWorkspace,
} from '../model/workspace/context';
import { ConnectionPanel } from '../panels/connection/ConnectionPanel';
import { Welcome } from '../panels/welcome/Welcome';
import { CommandAlert } from '../widgets/failure/CommandAlert';
import { EmptyState } from '../widgets/layout/EmptyState';
import { PartBoundary } from '../widgets/failure/PartBoundary';
import { Steady } from '../widgets/layout/Steady';
import { useChosenEntry, useShownEntries } from '../widgets/layout/part';
import { ModeSwitch } from './ModeSwitch';
import { Notices } from './notices/Notices';
import classes from './Shell.module.css';
import { MODES } from './registry/modes';

/** The selected server in its mode; the welcome screen if there are no servers. */
export function Centre() {
  const { servers } = useModel();
  const error = useServers((state) => state.error);
  const selected = useUi((state) => state.selectedServer);
  const connectionState = useServerPart(selected, (server) => server?.connection.state);
  const serverError = useWorkspace((state) => (selected === null ? undefined : state.serverErrors[selected]));
  const tab = useUi((state) => state.exploreTab);
  const mode = useChosenEntry(MODES, useMode(selected), selected)?.id;
  const actions = useActions();
  const place = `${selected} ${connectionState} ${mode} ${tab}`;

  return (
    <div className={classes.centre}>
      <Notices />
      <Steady>
        {error !== null && (
          <CommandAlert error={error} inPane>
            <Button variant="default" onClick={() => void servers.refresh()}>
              Try again
            </Button>
          </CommandAlert>
        )}
        {selected !== null && connectionState !== undefined && serverError !== undefined && (
          <CommandAlert error={serverError} inPane onClose={() => actions.dismissError(selected)} />
        )}
      </Steady>
      <div className={classes.content}>
        <PartBoundary resetKey={place}>
          <Content place={place} />
        </PartBoundary>
      </div>
    </div>
  );
}

/** `place`: what is on screen; when it changes, what failed is tried again. */
function Content({ place }: { place: string }) {
  const count = useServers(({ items }) => items?.length);
  const selected = useUi((state) => state.selectedServer);
  const isKnown = useServerPart(selected, (server) => server !== undefined);
  const unready = useServerPart(selected, (server) =>
    server?.connection.state === 'ready' ? undefined : server,
  );
  const chosen = useChosenEntry(MODES, useMode(selected), selected);
  const shown = useShownEntries(MODES, selected);
  const lead = useMemo(() => selected !== null && <ModeSwitch serverId={selected} />, [selected]);
  // Without a server there is nothing that they could show.
  const hasServers = (count ?? 0) > 0;
  useEffect(() => {
    if (hasServers) for (const { Part } of MODES) void Part.preload();
  }, [hasServers]);
  if (count === undefined) return null;
  if (count === 0) return <Welcome />;
  if (selected === null || !isKnown) {
    return <EmptyState title="No server selected" text="Choose one on the left to see what it offers." />;
  }
  const isReady = unready === undefined;
  return (
    <>
      {chosen?.needsConnection === true && !isReady && (
        <ConnectionPanel key={selected} server={unready} lead={lead} />
      )}
      {shown.map(({ entry: { id, Part, needsConnection }, disabledReason }) => {
        const isChosen = id === chosen?.id;
        if (disabledReason !== undefined || (!needsConnection && !isChosen)) return null;
        if (!needsConnection) {
          return (
            <Suspense key={id}>
              <Part key={selected} serverId={selected} lead={lead} />
            </Suspense>
          );
        }
        // Made before it is needed and shown when the server is ready: its first list does not wait for it.
        return (
          <Activity key={id} mode={isReady && isChosen ? 'visible' : 'hidden'}>
            {/* Its own boundary: what fails out of sight does not take the place of what is visible. */}
            <PartBoundary resetKey={place}>
              <Suspense>
                <Part serverId={selected} lead={lead} />
              </Suspense>
            </PartBoundary>
          </Activity>
        );
      })}
    </>
  );
}
