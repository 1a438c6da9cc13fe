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
import { lazyPart } from '../widgets/failure/lazyPart';
import { ModeSwitch } from './ModeSwitch';
import { Notices } from './notices/Notices';
import classes from './Shell.module.css';

// The editor and the forms are half of the program; the first paint does not wait for them.
const AuthorizationPanel = lazyPart(
  async () => (await import('../panels/authorization/AuthorizationPanel')).AuthorizationPanel,
);
const ExplorePanel = lazyPart(async () => (await import('../panels/explore/ExplorePanel')).ExplorePanel);

/** The selected server in the mode chosen for it; the first screen if there is none. */
export function Centre() {
  const { servers } = useModel();
  const error = useServers((state) => state.error);
  const selected = useUi((state) => state.selectedServer);
  const connectionState = useServerPart(selected, (server) => server?.connection.state);
  const serverError = useWorkspace((state) => (selected === null ? undefined : state.serverErrors[selected]));
  const tab = useUi((state) => state.exploreTab);
  const mode = useMode(selected);
  const actions = useActions();
  const place = `${selected} ${connectionState} ${mode} ${tab}`;

  return (
    <div className={classes.centre}>
      <Notices />
      {error !== null && (
        <CommandAlert error={error}>
          <Button variant="default" onClick={() => void servers.refresh()}>
            Try again
          </Button>
        </CommandAlert>
      )}
      {selected !== null && connectionState !== undefined && serverError !== undefined && (
        <CommandAlert error={serverError} onClose={() => actions.dismissError(selected)} />
      )}
      <div className={classes.content}>
        <PartBoundary resetKey={place}>
          <Content place={place} />
        </PartBoundary>
      </div>
    </div>
  );
}

/** `place`: what is looked at; where it changes, what failed is tried again. */
function Content({ place }: { place: string }) {
  const count = useServers(({ items }) => items?.length);
  const selected = useUi((state) => state.selectedServer);
  const isKnown = useServerPart(selected, (server) => server !== undefined);
  const unready = useServerPart(selected, (server) =>
    server?.connection.state === 'ready' ? undefined : server,
  );
  const mode = useMode(selected);
  const lead = useMemo(() => selected !== null && <ModeSwitch serverId={selected} />, [selected]);
  useEffect(() => {
    ExplorePanel.preload();
    AuthorizationPanel.preload();
  }, []);
  if (count === undefined) return null;
  if (count === 0) return <Welcome />;
  if (selected === null || !isKnown) {
    return <EmptyState title="No server selected" text="Choose one on the left to see what it offers." />;
  }
  const isReady = unready === undefined;
  const explores = mode === 'explore';
  return (
    <>
      {explores && !isReady && <ConnectionPanel key={selected} server={unready} lead={lead} />}
      {!explores && (
        <Suspense>
          <AuthorizationPanel key={selected} serverId={selected} lead={lead} />
        </Suspense>
      )}
      {/* Made before it is wanted, and shown when the server is ready: its tools do not wait for it. */}
      <Activity mode={isReady && explores ? 'visible' : 'hidden'}>
        {/* Its own boundary: what fails out of sight does not take the place of what is looked at. */}
        <PartBoundary resetKey={place}>
          <Suspense>
            <ExplorePanel serverId={selected} lead={lead} />
          </Suspense>
        </PartBoundary>
      </Activity>
    </>
  );
}
