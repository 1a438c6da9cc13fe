import { useMemo } from 'react';
import type { ServerId } from '../../contract/generated';
import { type Model, useModel } from './context';
import { isOpen } from '../connection/connection';
import { commandError } from '../store/errors';

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
  /** Ends what Patchbay does by itself to have it connected. */
  stopAutomatic: (serverId: ServerId) => Promise<void>;
  /** Begins or ends the watching of its files, or builds and restarts it now. */
  fileWatch: (serverId: ServerId, action: FileWatchAction) => Promise<void>;
  /** Adds a copy, not connected. */
  duplicate: (serverId: ServerId) => Promise<void>;
  /** Moves it up or down by one in the rail. */
  move: (serverId: ServerId, by: -1 | 1) => Promise<void>;
  /** Moves it to a place in the rail, from 0. */
  moveTo: (serverId: ServerId, to: number) => Promise<void>;
  /** Adds the demo server, or takes the one that is there, selects and connects it. Rejects with a `CommandFailure`. */
  openDemo: () => Promise<void>;
  /** Accepts the one certificate with this fingerprint for a server, and connects it. Rejects with a `CommandFailure`. */
  acceptCertificate: (serverId: ServerId, fingerprint: string) => Promise<void>;
  /** Forgets the detected era of a server: its next connect probes again. */
  forgetEra: (serverId: ServerId) => Promise<void>;
  dismissError: (serverId: ServerId) => void;
}

export function useActions(): Actions {
  const model = useModel();
  return useMemo(() => createActions(model), [model]);
}

export function createActions({ host, servers, ui, workspace }: Model): Actions {
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

  return {
    select,
    show: (serverId, mode) =>
      ui.setState(({ modes }) => ({ selectedServer: serverId, modes: { ...modes, [serverId]: mode } })),
    async connect(serverId) {
      const connection = servers.getState().items?.find((item) => item.id === serverId)?.connection;
      // The second click of a double click comes before the button changes.
      if (connection !== undefined && isOpen(connection.state)) return;
      await attempt(serverId, () => host.call('connection_open', { serverId }));
    },
    disconnect: (serverId) => attempt(serverId, () => host.call('connection_close', { serverId })),
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
      const from = items.findIndex(({ id }) => id === serverId);
      if (from >= 0) await moveTo(serverId, from + by);
    },
    moveTo,
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
    dismissError: (serverId) => setError(serverId, undefined),
  };
}

/** `name 2`, `name 3` …: the first that is not taken. */
export function freeName(name: string, taken: readonly string[]): string {
  const base = name.replace(/ \d+$/, '');
  for (let n = 2; ; n++) {
    const candidate = `${base} ${n}`;
    if (!taken.includes(candidate)) return candidate;
  }
}
