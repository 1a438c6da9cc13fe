import { createStore, type StoreApi } from 'zustand/vanilla';
import type {
  CommandError,
  HostChange,
  InputId,
  RegistrySource,
  Seq,
  ServerId,
  SubscriptionFilter,
} from '../../contract/generated';
import type { Ping } from '../connection/pings';
import type { BundleFile } from '../servers/adding/bundles/bundleFile';
import type { DroppedItem } from '../servers/adding/dropped/droppedFiles';
import type { ImportSource } from '../servers/import/hosts';

/** A setting that the dialog of a server can be opened at. */
export type ServerDialogPlace = 'annotations';

/** Servers that are disconnected, and servers that are connected then. */
export interface ServerSwitch {
  disconnect: readonly ServerId[];
  connect: readonly ServerId[];
}

interface Followed {
  /** The dialog that is opened when this one is closed. */
  after?: Dialog;
}

/** The modal dialog that is open. One at a time. */
export type Dialog =
  | ({ type: 'addServer'; /** The pasted text to start from. */ pasted: string } & Followed)
  /** A server from a bundle. */
  | ({ type: 'addBundle'; /** The file, if one was chosen already. */ bundle: BundleFile | null } & Followed)
  /** A server from a `server.json` of the MCP registry. */
  | ({
      type: 'addRegistry';
      /** The document, if one was named already. */
      source: RegistrySource | null;
    } & Followed)
  /** Servers of other hosts, on this machine or in files. */
  | ({ type: 'importServers'; source: ImportSource } & Followed)
  /** Files that were dropped or chosen, of which several can be added, or some cannot. */
  | { type: 'dropped'; items: readonly DroppedItem[] }
  | { type: 'editServer'; serverId: ServerId; /** What the dialog opens at. */ at?: ServerDialogPlace }
  | { type: 'removeServer'; serverId: ServerId }
  /** A group that is added (null) or edited. */
  | { type: 'group'; group: string | null }
  | { type: 'removeGroup'; group: string }
  /** The groups that a server is in. */
  | { type: 'serverGroups'; serverId: ServerId }
  /** Asks before servers with pending requests are disconnected. */
  | { type: 'switchServers'; change: ServerSwitch }
  | { type: 'exportServer'; serverId: ServerId }
  /** Checks step by step why a server cannot be reached. */
  | { type: 'doctor'; serverId: ServerId }
  /** What is answered to sampling requests of a server without asking. */
  | { type: 'samplingRules'; serverId: ServerId }
  /** How the requests of a server are answered automatically, to see how it copes. */
  | { type: 'simulator'; serverId: ServerId }
  /** No terminal could be opened for a server; why. */
  | { type: 'terminalFailed'; serverId: ServerId; error: CommandError }
  /** A command failed that has no place of its own for the error. */
  | {
      type: 'failed';
      /** What did not happen, as a sentence without a full stop. */
      title: string;
      error: CommandError;
    }
  /** What changed on a server since it was last connected. */
  | { type: 'serverChanges'; serverId: ServerId }
  /** Plaintext secrets in the settings, and moving them into the vault. */
  | { type: 'plainSecrets' }
  | { type: 'shortcuts' }
  /** The keys of all commands, to change them. */
  | { type: 'keys' }
  /** All settings, in one place. */
  | { type: 'settings'; /** The words that are searched at first. */ search?: string };

/** What a view of server logs keeps while another tab is open. */
export interface LogPlace {
  /** The selected line. */
  selected: Seq | null;
  /** The newest line that was there when the view was cleared. */
  after: Seq | null;
}

/** A subscription that is written. */
export interface SubscriptionDraft {
  lists: Pick<SubscriptionFilter, 'toolsListChanged' | 'promptsListChanged' | 'resourcesListChanged'>;
  /** One URI per line. */
  uris: string;
  /** One task ID per line. */
  tasks: string;
}

export const newSubscription: SubscriptionDraft = {
  lists: { toolsListChanged: true, promptsListChanged: false, resourcesListChanged: false },
  uris: '',
  tasks: '',
};

/** The view of the output of one server, by its name among the views of server logs. */
export function outputOf(serverId: ServerId): string {
  return `output ${serverId}`;
}

/**
 * A place that can take the focus: the servers, the dock's tabs, the tabs of Explore, or what one of these tabs shows: the
 * first field of the selected item, or its main button.
 */
export type FocusPlace = 'rail' | 'dock' | 'exploreTabs' | 'tools' | 'resources' | 'prompts' | 'skills';

/** Where the focus is to go as soon as it is on screen. */
export interface FocusRequest {
  place: FocusPlace;
  /** Null for what is there without a server. */
  serverId: ServerId | null;
  /** What had the focus at the time of the request, which lapses when the user gives the focus to something else. */
  from?: Element | null;
}

/** The state of the window that does not survive a restart. */
export interface Workspace {
  dialog: Dialog | null;
  /** The request of a server that is answered beside the other panes. */
  openInput: InputId | null;
  /** What is searched for in the list of tools of each server. */
  toolQueries: Readonly<Record<ServerId, string>>;
  /** The keys of the groups of tools whose tools are not shown, of each server. */
  closedToolGroups: Readonly<Record<ServerId, readonly string[]>>;
  /** Whether the vault's dialog is open, above any other dialog, which may be what needs it. */
  vaultOpen: boolean;
  /** Whether the model providers are open, above any other dialog. */
  providersOpen: boolean;
  /** Whether the shared sets of roots are open, above any other dialog. */
  rootSetsOpen: boolean;
  /** The page of the documentation that is open, above any dialog; a path below `docs/src`. */
  helpPage: string | null;
  /** A record the traffic panel is to show; each new object is a new request. */
  revealRequest: { seq: Seq } | null;
  /** What takes the focus as soon as it is shown. */
  focusRequest: FocusRequest | null;
  /** Whether the definition of a tool takes the place of the list, in a narrow window. */
  contextForList: boolean;
  /** The server whose composer takes the focus as soon as it is shown. */
  focusComposerOf: ServerId | null;
  /** The tools that were called after a question, by server: their names. */
  confirmedTools: Readonly<Partial<Record<ServerId, readonly string[]>>>;
  /** The selected task of each server. */
  selectedTasks: Partial<Record<ServerId, string>>;
  /** What each server is to be subscribed to next. */
  subscriptionDrafts: Partial<Record<ServerId, SubscriptionDraft>>;
  /** The pings sent to each server, the newest last. */
  pings: Partial<Record<ServerId, Ping[]>>;
  /** Where each view of server logs is, by view. */
  logViews: Partial<Record<string, LogPlace>>;
  /** The configurations of other hosts that changed while they were watched, by their paths, until they were reviewed or dismissed. */
  hostChanges: Readonly<Record<string, HostChange>>;
  /** Why they are not watched. */
  hostWatchError: CommandError | null;
  /** Why settings and what the user saves are not stored, until they are or until dismissed. */
  notStored: CommandError | null;
  /** What went wrong with the last command for a server, until the next one or until dismissed. */
  serverErrors: Partial<Record<ServerId, CommandError>>;
}

export type WorkspaceStore = StoreApi<Workspace>;

export function createWorkspace(): WorkspaceStore {
  return createStore<Workspace>(() => ({
    dialog: null,
    openInput: null,
    toolQueries: {},
    closedToolGroups: {},
    vaultOpen: false,
    providersOpen: false,
    rootSetsOpen: false,
    helpPage: null,
    revealRequest: null,
    focusRequest: null,
    contextForList: false,
    focusComposerOf: null,
    confirmedTools: {},
    selectedTasks: {},
    subscriptionDrafts: {},
    pings: {},
    logViews: {},
    hostChanges: {},
    hostWatchError: null,
    notStored: null,
    serverErrors: {},
  }));
}
