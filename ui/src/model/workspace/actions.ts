import { useMemo } from 'react';
import type { ServerId, ServerItem } from '../../contract/generated';
import { type Model, useModel } from './context';
import { isOpen } from '../connection/connection';
import { affected, connectable } from '../servers/groups/connectQueue';
import { type Drop, type RailRow, dropOf, peersOf, railRows } from '../servers/groups/railRows';
import { commandError } from '../store/errors';
import { firstFree } from '../store/firstFree';
import { initialUiState } from './uiState';
import { type ServerSwitch, outputOf } from './workspace';

/** What a user does with the watching of a server's files. */
export type FileWatchAction = 'start' | 'stop' | 'restart';

/** Actions on servers, for the rail, the palette and the centre. */
export interface Actions {
  select: (serverId: ServerId) => void;
  /** Selects it and switches it to a mode of the centre. */
  show: (serverId: ServerId, mode: string) => void;
  connect: (serverId: ServerId) => Promise<void>;
  disconnect: (serverId: ServerId) => Promise<void>;
  restart: (serverId: ServerId) => Promise<void>;
  /** Disables it, which disconnects it, or enables it. */
  setDisabled: (serverId: ServerId, disabled: boolean) => Promise<void>;
  /** Connects those of these servers that are not connected nor disabled, a few at a time. */
  connectMany: (serverIds: readonly ServerId[]) => void;
  /** Disconnects servers, and connects others at the same time. Asks first if requests of those to disconnect are pending. */
  switchServers: (change: ServerSwitch, isConfirmed?: boolean) => void;
  /** Ends what Patchbay does by itself to have it connected. */
  stopAutomatic: (serverId: ServerId) => Promise<void>;
  /** Begins or ends the watching of its files, or builds and restarts it now. */
  fileWatch: (serverId: ServerId, action: FileWatchAction) => Promise<void>;
  /** Adds a copy, not connected. */
  duplicate: (serverId: ServerId) => Promise<void>;
  /** Moves it up or down by one among the servers that it shares a group with. */
  move: (serverId: ServerId, by: -1 | 1) => Promise<void>;
  /**
   * Puts a row of the rail where another one is, both by their keys: a server into its order and its groups, or a group into the order
   * of groups.
   */
  drop: (row: string, place: string) => Promise<void>;
  /** Moves a server's row of the rail, by its key, up or down by one within its group. */
  moveRow: (row: string, by: -1 | 1) => Promise<void>;
  /** Moves a group up or down by one. */
  moveGroup: (group: string, by: -1 | 1) => Promise<void>;
  /** Adds the demo server, or takes the one that is there, selects and connects it. Rejects with a `CommandFailure`. */
  openDemo: () => Promise<void>;
  /** Accepts the one certificate with this fingerprint for a server, and connects it. Rejects with a `CommandFailure`. */
  acceptCertificate: (serverId: ServerId, fingerprint: string) => Promise<void>;
  /** Forgets the detected era of a server: its next connect probes again. */
  forgetEra: (serverId: ServerId) => Promise<void>;
  /** Runs its program in the user's terminal. A dialog says why that failed, and has the command to copy. */
  openTerminal: (serverId: ServerId) => Promise<void>;
  /** Shows all that it wrote to stderr, in the dock: without what was searched for or cleared from view before. */
  showOutput: (serverId: ServerId) => void;
  dismissError: (serverId: ServerId) => void;
}

export function useActions(): Actions {
  const model = useModel();
  return useMemo(() => createActions(model), [model]);
}

export function createActions({ host, servers, ui, workspace, connectQueue, moves }: Model): Actions {
  function setError(serverId: ServerId, thrown: unknown): void {
    workspace.setState(({ serverErrors }) => ({
      serverErrors: { ...serverErrors, [serverId]: thrown === undefined ? undefined : commandError(thrown) },
    }));
  }

  /** Runs a command for a server; an error is shown with that server. */
  async function attempt(serverId: ServerId, command: () => Promise<unknown>): Promise<void> {
    setError(serverId, undefined);
    try {
      await command();
    } catch (thrown) {
      setError(serverId, thrown);
    }
    await servers.refresh();
  }

  /** Runs a command that is for no server; an error is shown in a dialog. */
  async function attemptHere(title: string, command: () => Promise<unknown>): Promise<void> {
    try {
      await command();
    } catch (thrown) {
      workspace.setState({ dialog: { type: 'failed', title, error: commandError(thrown) } });
    }
    await servers.refresh();
  }

  const select = (serverId: ServerId): void => ui.setState({ selectedServer: serverId });

  async function apply(change: Drop): Promise<void> {
    if (change.type === 'groups') {
      await attemptHere('The groups were not reordered', () =>
        host.call('group_reorder', { groups: change.groups }),
      );
      return;
    }
    const { serverId, groups, order } = change;
    await attempt(serverId, async () => {
      if (groups !== null) await host.call('server_groups_set', { serverId, groups });
      if (order !== null) await host.call('server_reorder', { serverIds: order });
    });
  }

  /** Changes an order once the changes before it are in the list: from an older one, it would undo them. */
  const reorder = (changeIn: (items: readonly ServerItem[], groups: readonly string[]) => Drop | null) =>
    moves(async () => {
      const { items = [], groups } = servers.getState();
      const change = changeIn(items, groups);
      if (change !== null) await apply(change);
    });

  /** Puts the row with a key at the place that `to` finds. */
  const reorderRows = (row: string, to: (rows: readonly RailRow[], from: number) => number) =>
    reorder((items, groups) => {
      const rows = railRows(items, groups, ui.getState().collapsedGroups);
      const from = placeOf(rows, row);
      return dropOf(rows, items, groups, { from, to: to(rows, from) });
    });

  const show = (serverId: ServerId, mode: string): void =>
    ui.setState(({ modes }) => ({ selectedServer: serverId, modes: { ...modes, [serverId]: mode } }));

  async function connect(serverId: ServerId): Promise<void> {
    const server = servers.getState().items?.find((item) => item.id === serverId);
    // Where it would be explored, it says that it is disabled, and offers to enable it.
    if (server?.draft.disabled === true) return show(serverId, 'explore');
    // The second click of a double click comes before the button changes.
    if (server !== undefined && isOpen(server.connection.state)) return;
    await attempt(serverId, () => host.call('connection_open', { serverId }));
  }

  const disconnect = (serverId: ServerId): Promise<void> =>
    attempt(serverId, () => host.call('connection_close', { serverId }));

  const connectMany = (serverIds: readonly ServerId[]): void =>
    connectQueue.add(connectable(servers.getState().items ?? [], serverIds), connect);

  return {
    select,
    show,
    connect,
    setDisabled: (serverId, disabled) =>
      attempt(serverId, () => host.call('server_disabled_set', { serverIds: [serverId], disabled })),
    connectMany,
    switchServers(change, isConfirmed = false) {
      const { open, pending } = affected(servers.getState().items ?? [], change.disconnect);
      if (pending.length > 0 && !isConfirmed) {
        workspace.setState({ dialog: { type: 'switchServers', change } });
        return;
      }
      connectQueue.drop(change.disconnect);
      void Promise.all(open.map(({ id }) => disconnect(id)));
      connectMany(change.connect);
    },
    disconnect,
    restart: (serverId) => attempt(serverId, () => host.call('connection_restart', { serverId })),
    stopAutomatic: (serverId) => attempt(serverId, () => host.call('automatic_stop', { serverId })),
    fileWatch: (serverId, action) => attempt(serverId, () => host.call(`file_watch_${action}`, { serverId })),
    duplicate: (serverId) =>
      attempt(serverId, async () => {
        const items = servers.getState().items ?? [];
        const original = items.find((item) => item.id === serverId);
        if (original === undefined) return;
        const name = freeName(
          original.draft.name,
          items.map((item) => item.draft.name),
        );
        const added = await host.call('server_duplicate', { serverId, name });
        select(added.serverId);
      }),
    move: (serverId, by) =>
      reorder((items) => {
        const peers = peersOf(items, serverId);
        const next = peers[peers.findIndex(({ id }) => id === serverId) + by];
        return next === undefined ? null : movedTo(items, serverId, items.indexOf(next));
      }),
    drop: (row, place) => reorderRows(row, (rows) => placeOf(rows, place)),
    moveRow: (row, by) =>
      reorderRows(row, (rows, from) => {
        const next = rows[from + by];
        return next?.type === 'server' && next.group === rows[from]?.group ? from + by : from;
      }),
    moveGroup: (group, by) =>
      reorder((_, groups) => {
        const from = groups.indexOf(group);
        const to = from + by;
        if (from < 0 || to < 0 || to >= groups.length) return null;
        return { type: 'groups', groups: groups.toSpliced(from, 1).toSpliced(to, 0, group) };
      }),
    async openDemo() {
      const existing = servers.getState().items?.find((item) => item.isDemo);
      const serverId = existing?.id ?? (await host.call('server_add_demo', {})).serverId;
      await servers.refresh();
      select(serverId);
      await attempt(serverId, () => host.call('connection_open', { serverId }));
    },
    async acceptCertificate(serverId, fingerprint) {
      const draft = servers.getState().items?.find((item) => item.id === serverId)?.draft;
      if (draft?.transport.type !== 'http') return;
      const transport = { ...draft.transport, acceptedFingerprint: fingerprint };
      await host.call('server_update', { serverId, draft: { ...draft, transport } });
      await attempt(serverId, () => host.call('connection_restart', { serverId }));
    },
    forgetEra: (serverId) => attempt(serverId, () => host.call('server_era_forget', { serverId })),
    async openTerminal(serverId) {
      const terminal = ui.getState().terminal.trim();
      try {
        await host.call('terminal_open', { serverId, terminal: terminal === '' ? null : terminal });
      } catch (thrown) {
        workspace.setState({ dialog: { type: 'terminalFailed', serverId, error: commandError(thrown) } });
      }
    },
    showOutput(serverId) {
      select(serverId);
      workspace.setState(({ logViews }) => ({
        logViews: { ...logViews, [outputOf(serverId)]: undefined },
      }));
      ui.setState({
        dockOpen: true,
        dockTab: 'output',
        output: { ...initialUiState.output, oneServer: true },
      });
    },
    dismissError: (serverId) => setError(serverId, undefined),
  };
}

/** The place of the row with a key. */
function placeOf(rows: readonly RailRow[], row: string): number {
  return rows.map(({ key }) => key).indexOf(row);
}

/** Moves a server to the place of another among all, from 0; null if it is not among them. */
function movedTo(items: readonly ServerItem[], serverId: ServerId, to: number): Drop | null {
  const ids = items.map(({ id }) => id);
  const from = ids.indexOf(serverId);
  if (from < 0) return null;
  const order = ids.toSpliced(from, 1).toSpliced(to, 0, serverId);
  return { type: 'server', serverId, groups: null, order };
}

/** `name 2`, `name 3` …: the first that is not taken. */
export function freeName(name: string, taken: readonly string[]): string {
  const base = name.replace(/ \d+$/, '');
  const withNumber = (number: number): string => `${base} ${number}`;
  return firstFree(withNumber(2), withNumber, (each) => taken.includes(each));
}
