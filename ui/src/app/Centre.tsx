import { Button } from '@mantine/core';
import { Suspense, useEffect } from 'react';
import { useActions } from '../model/actions';
import { useModel, useServer, useServers, useUi, useWorkspace } from '../model/context';
import { ConnectionPanel } from '../panels/connection/ConnectionPanel';
import { Welcome } from '../panels/welcome/Welcome';
import { CommandAlert } from '../widgets/CommandAlert';
import { EmptyState } from '../widgets/EmptyState';
import { PartBoundary } from '../widgets/PartBoundary';
import { lazyPart } from '../widgets/lazyPart';
import { Notices } from './Notices';
import classes from './Shell.module.css';

// The editor and the forms are half of the program; the first paint does not wait for them.
const loadExplore = async () => (await import('../panels/explore/ExplorePanel')).ExplorePanel;
const ExplorePanel = lazyPart(loadExplore);

/** The selected server; the first screen if there is none. */
export function Centre() {
  const { servers } = useModel();
  const error = useServers((state) => state.error);
  const selected = useUi((state) => state.selectedServer);
  const server = useServer(selected);
  const serverError = useWorkspace((state) => (selected === null ? undefined : state.serverErrors[selected]));
  const tab = useUi((state) => state.exploreTab);
  const actions = useActions();

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
      {server !== undefined && serverError !== undefined && (
        <CommandAlert error={serverError} onClose={() => actions.dismissError(server.id)} />
      )}
      <div className={classes.content}>
        <PartBoundary resetKey={`${selected} ${server?.connection.state} ${tab}`}>
          <Content />
        </PartBoundary>
      </div>
    </div>
  );
}

function Content() {
  const { ui } = useModel();
  const items = useServers((state) => state.items);
  const selected = useUi((state) => state.selectedServer);
  const server = useServer(selected);
  const tab = useUi((state) => state.exploreTab);
  // Fetched while nobody waits for it. A failure shows when it is needed.
  useEffect(() => void loadExplore().catch(() => {}), []);
  if (items === undefined) return null;
  if (items.length === 0) return <Welcome />;
  if (server === undefined) {
    return <EmptyState title="No server selected" text="Choose one on the left to see what it offers." />;
  }
  if (server.connection.state !== 'ready') return <ConnectionPanel key={server.id} server={server} />;
  return (
    <Suspense>
      <ExplorePanel serverId={server.id} tab={tab} onTab={(exploreTab) => ui.setState({ exploreTab })} />
    </Suspense>
  );
}
