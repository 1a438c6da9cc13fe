import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { CommandError, RootItem, ServerId } from '../../../contract/generated';
import { fullName } from '../../../model/connection/serverName';
import { answeredInWords } from '../../../model/servers/roots/rootWords';
import { commandError } from '../../../model/store/errors';
import { formatCount, formatTime } from '../../../model/text/format';
import { useModel, useServerPart } from '../../../model/workspace/context';
import { Waiting } from '../../../widgets/status/Waiting';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { EmptyState } from '../../../widgets/layout/EmptyState';
import { Bar } from '../../../widgets/layout/Bar';
import { Pane } from '../../../widgets/layout/Pane';
import { DeprecatedNote } from '../../../widgets/links/DeprecatedNote';
import { RootRow } from './RootRow';
import classes from './roots.module.css';

/** How many folders are shown at first, and how many more each time. */
const PART = 200;

/** What a server gets when it asks for its roots: each folder with its state, and what waits for the user's consent. */
export function RootsPanel({ serverId }: { serverId: ServerId }) {
  const { roots, workspace } = useModel();
  const rule = useServerPart(serverId, (server) => server?.draft.roots);
  const data = useStore(roots, (state) => state.servers[serverId]);
  const error = useStore(roots, (state) => state.errors[serverId]);
  // The settings of the server are another reason to look again.
  useEffect(() => roots.watch(serverId), [roots, serverId, rule]);
  useEffect(() => void roots.refreshSets(), [roots]);
  const edit = (): void => workspace.setState({ dialog: { type: 'editServer', serverId } });
  const folders = data?.folders ?? [];
  return (
    <Pane
      label="Roots"
      scrolls
      bar={
        <Bar label="Roots">
          <p className={classes.answer}>{answeredInWords(rule, folders)}</p>
          {data !== undefined && <AskedAt at={data.askedAtMs} />}
          <span className="pb-grow" />
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            onClick={() => workspace.setState({ rootSetsOpen: true })}
          >
            Shared sets…
          </Button>
          <Button variant="default" size="compact-sm" onClick={edit}>
            Edit roots…
          </Button>
        </Bar>
      }
    >
      <DeprecatedNote feature="roots" />
      <div className={classes.page}>
        <Overrides serverId={serverId} />
        {error !== undefined && <CommandAlert error={error} />}
        {data === undefined && error === undefined && <Waiting text="Checking the folders…" />}
        {folders.length > 0 && (
          <>
            <Consent serverId={serverId} folders={folders} />
            <Folders serverId={serverId} folders={folders} />
          </>
        )}
        {data !== undefined && folders.length === 0 && rule?.type !== 'ask' && (
          <EmptyState
            title="No roots"
            text="Roots are the folders that the server may work in. Choose folders for this server, or a set of folders that several servers share."
          >
            <Button variant="default" onClick={edit}>
              Choose folders…
            </Button>
          </EmptyState>
        )}
      </div>
    </Pane>
  );
}

function AskedAt({ at }: { at: number | null }) {
  return (
    <span className={`${classes.dim} pb-num`}>
      {at === null ? 'Not requested yet.' : `Last requested at ${formatTime(at).slice(0, 8)}.`}
    </span>
  );
}

/** What keeps the settings of the server from being what it gets. */
function Overrides({ serverId }: { serverId: ServerId }) {
  const isSimulated = useServerPart(serverId, (server) => server?.simulated?.includes('roots') === true);
  const isDeclared = useServerPart(serverId, (server) => server?.draft.advertised?.roots !== false);
  if (!isDeclared)
    return (
      <p className={classes.dim}>
        Patchbay does not declare the roots capability to this server, so it cannot request roots.
      </p>
    );
  return isSimulated ? (
    <p className={classes.dim}>The simulator answers in place of these settings.</p>
  ) : null;
}

/** The folders that were not chosen for this server: the user decides once. */
function Consent({ serverId, folders }: { serverId: ServerId; folders: readonly RootItem[] }) {
  const { roots } = useModel();
  const name = useServerPart(serverId, (server) => (server === undefined ? '' : fullName(server)));
  const [error, setError] = useState<CommandError | null>(null);
  const open = folders.filter(({ consent, state }) => consent === 'open' && state === 'ready');
  if (open.length === 0) return null;
  const decide = (isAllowed: boolean): void => {
    setError(null);
    const paths = open.map(({ path }) => path);
    roots.decide(serverId, paths, isAllowed).catch((thrown: unknown) => setError(commandError(thrown)));
  };
  const count = formatCount(open.length, 'folder');
  return (
    <section className={classes.consent} aria-label="Consent">
      <p>
        <b>
          {count} {open.length === 1 ? 'is' : 'are'} waiting for your consent.
        </b>{' '}
        {open.length === 1 ? 'It comes' : 'They come'} from a shared set or from pasted settings. Until you
        decide, <b>{name}</b> does not receive {open.length === 1 ? 'it' : 'them'}.
      </p>
      <Button variant="default" size="compact-sm" onClick={() => decide(false)}>
        Decline
      </Button>
      <Button size="compact-sm" onClick={() => decide(true)}>
        Allow {count}
      </Button>
      {error !== null && <CommandAlert error={error} onClose={() => setError(null)} />}
    </section>
  );
}

function Folders({ serverId, folders }: { serverId: ServerId; folders: readonly RootItem[] }) {
  const [shown, setShown] = useState(PART);
  return (
    <>
      <ul className={classes.list} aria-label="Folders">
        {folders.slice(0, shown).map((folder) => (
          <RootRow key={folder.path} serverId={serverId} folder={folder} />
        ))}
      </ul>
      {folders.length > shown && (
        <Button variant="default" size="compact-sm" onClick={() => setShown(shown + PART)}>
          Show more ({formatCount(folders.length, 'folder')} in total)
        </Button>
      )}
    </>
  );
}
