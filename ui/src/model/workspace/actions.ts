import { useMemo } from 'react';
import type { ServerId } from '../../contract/generated';
import { type Model, useModel } from './context';
import { isOpen } from '../connection/connection';
import { affected, connectable } from '../servers/groups/connectQueue';
import { type Drop, peersOf } from '../servers/groups/railRows';
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
  /** Disconnects servers, then connects others. Asks first if requests of those to disconnect are pending. */
  switchServers: (change: ServerSwitch, isConfirmed?: boolean) => void;
  /** Ends what Patchbay does by itself to have it connected. */
  stopAutomatic: (serverId: ServerId) => Promise<void>;
  /** Begins or ends the watching of its files, or builds and restarts it now. */
  fileWatch: (serverId: ServerId, action: FileWatchAction) => Promise<void>;
  /** Adds a copy, not connected. */
  duplicate: (serverId: ServerId) => Promise<void>;
  /** Moves it up or down by one among the servers that it shares a group with. */
  move: (serverId: ServerId, by: -1 | 1) => Promise<void>;
  /** Moves it to a place in the rail, from 0. */
  moveTo: (serverId: ServerId, to: number) => Promise<void>;
  /** Puts a row of the rail elsewhere: a server into its order and its groups, or a group into the order of groups. */
  drop: (drop: Drop) => Promise<void>;
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

export function createActions({ host, servers, ui, workspace, connectQueue }: Model): Actions {
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

  const moveTo = (serverId: ServerId, to: number): Promise<void> =>
    attempt(serverId, async () => {
      const serverIds = (servers.getState().items ?? []).map((item) => item.id);
      const from = serverIds.indexOf(serverId);
      if (from < 0 || from === to || to < 0 || to >= serverIds.length) return;
      serverIds.splice(from, 1);
      serverIds.splice(to, 0, serverId);
      await host.call('server_reorder', { serverIds });
    });

  async function drop(change: Drop): Promise<void> {
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
    async move(serverId, by) {
      const items = servers.getState().items ?? [];
      const peers = peersOf(items, serverId);
      const next = peers[peers.findIndex(({ id }) => id === serverId) + by];
      if (next !== undefined) await moveTo(serverId, items.indexOf(next));
    },
    moveTo,
    drop,
    async moveGroup(group, by) {
      const { groups } = servers.getState();
      const from = groups.indexOf(group);
      const to = from + by;
      if (from < 0 || to < 0 || to >= groups.length) return;
      await drop({ type: 'groups', groups: groups.toSpliced(from, 1).toSpliced(to, 0, group) });
    },
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

/** `name 2`, `name 3` …: the first that is not taken. */
export function freeName(name: string, taken: readonly string[]): string {
  const base = name.replace(/ \d+$/, '');
  const withNumber = (number: number): string => `${base} ${number}`;
  return firstFree(withNumber(2), withNumber, (each) => taken.includes(each));
}
