import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CommandError, InputId, Seq, ServerId } from '../../contract/generated';

/** The dialog that is open. One at a time. */
export type Dialog =
  | { type: 'addServer'; /** What to start from: anything pasted. */ pasted: string }
  | { type: 'editServer'; serverId: ServerId }
  | { type: 'removeServer'; serverId: ServerId }
  | { type: 'exportServer'; serverId: ServerId }
  /** Looks, step by step, why a server cannot be reached. */
  | { type: 'doctor'; serverId: ServerId }
  /** A request of a server that waits for an answer. */
  | { type: 'input'; inputId: InputId }
  /** Secrets that stand readable in the settings, and moving them. */
  | { type: 'plainSecrets' }
  | { type: 'shortcuts' };

/** What of the window does not survive a restart. */
export interface Workspace {
  dialog: Dialog | null;
  /** The vault is asked for: above whatever dialog is open, since that may be what needs it. */
  vaultOpen: boolean;
  /** A record the traffic panel is to show; each new object is a new request. */
  revealRequest: { seq: Seq } | null;
  /** What went wrong with the last command for a server, until the next one or until dismissed. */
  serverErrors: Partial<Record<ServerId, CommandError>>;
}

export type WorkspaceStore = StoreApi<Workspace>;

export function createWorkspace(): WorkspaceStore {
  return createStore<Workspace>(() => ({
    dialog: null,
    vaultOpen: false,
    revealRequest: null,
    serverErrors: {},
  }));
}
