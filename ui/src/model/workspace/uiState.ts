import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ChatId, CommandError, ServerId } from '../../contract/generated';
import type { Host } from '../../host/host';
import { commandError } from '../store/errors';
import { isPlain, keepSame } from '../store/keepSame';
import { ownOf } from '../store/ownOf';
import { LOG_SOURCES, type LogFilter } from '../traffic/logQuery';
import { type Appearance, initialAppearance, oneOf, readAppearance } from './uiState/appearance';

/** The side views of an authorization run. */
export const AUTHORIZATION_PARTS = ['sequence', 'token'] as const;
export type AuthorizationPart = (typeof AUTHORIZATION_PARTS)[number];

/** The views of a conversation. */
export const CHAT_VIEWS = ['conversation', 'operations', 'raw'] as const;
export type ChatView = (typeof CHAT_VIEWS)[number];

/** How the lists of tools are grouped: not, by words of their names, or by what their servers say that they do. */
export const TOOL_GROUPINGS = ['none', 'name', 'effect'] as const;
export type ToolGrouping = (typeof TOOL_GROUPINGS)[number];

/** The state of the window that survives a restart. */
export interface UiState extends Appearance {
  selectedServer: ServerId | null;
  /** The mode of each server, by server. Modes and tabs are named by the ids of their registries; an unknown one counts as the first. */
  modes: Record<string, string>;
  exploreTab: string;
  /** The conversation that the chat shows. */
  selectedChat: ChatId | null;
  chatView: ChatView;
  /** Whether the model, the tools and the rules of a conversation are shown next to it. */
  chatSideOpen: boolean;
  authorizationPart: AuthorizationPart;
  /** Whether the sequence or the token is shown next to the steps. */
  authorizationSideOpen: boolean;
  /** The same in a window without room for three columns. */
  authorizationSideInNarrow: boolean;
  /** The groups of servers whose servers are not shown, by name. */
  collapsedGroups: string[];
  /** The selected tool, by server: `index:name`. */
  selectedTools: Record<string, string>;
  toolGrouping: ToolGrouping;
  /** Whether definition and schemas are shown next to the tool, in a wide window and in one of middling width. */
  toolContextOpen: boolean;
  toolContextInMiddle: boolean;
  /** The plaintext secrets the user keeps in the settings, by key; never their values. */
  plainSecretsLeft: string[];
  /** What the user has saved in the composer, by server. */
  savedRequests: Record<string, SavedRequest[]>;
  /** The ids of the entries chosen in the palette, the newest first. */
  recentEntries: string[];
  /** The argument sets the user has saved for tools, by server. */
  presets: Record<string, Preset[]>;
  /** The servers whose tools are called without asking. */
  unconfirmedServers: string[];
  /** The tools that are called without asking, by server: their names. */
  unconfirmedTools: Record<string, string[]>;
  /** Whether the configurations of other hosts are watched from which servers were imported. */
  watchesHosts: boolean;
  /** Where these are, by their paths. */
  importedHosts: string[];
  /** The keys that the user chose for commands (shortcuts/bound.ts). What is not understood is kept. */
  shortcuts: Record<string, unknown>;
  /** The command that opens a terminal; empty for the terminal of the system. */
  terminal: string;
  /** Whether requests of servers are notified of while the window is not in front. */
  notifies: boolean;
  /** Whether answers to elicitations are kept, to offer them again. */
  keepsAnswers: boolean;
  /** What was answered to elicitations, by server, the newest first. */
  earlierAnswers: Record<string, EarlierAnswer[]>;
  /** Texts the user has saved to answer sampling requests with, by name. */
  cannedAnswers: Record<string, string>;
  dockOpen: boolean;
  /** Whether the dock is still to open by itself, with the first connection. */
  dockWaits: boolean;
  dockTab: string;
  traffic: TrafficView;
  /** The Logs tab of Explore. */
  logs: LogFilter;
  output: OutputView;
  problems: ProblemsView;
  /** Sizes of resizable panels, by group id, in percent by panel id. */
  layouts: Record<string, Record<string, number>>;
}

/** A request or message that the user has saved. */
export interface SavedRequest {
  name: string;
  mode: 'request' | 'message';
  /** Empty for a message. */
  method: string;
  /** The params of a request, or the whole message. */
  text: string;
}

/** Arguments of a tool that the user has saved under a name. */
export interface Preset {
  name: string;
  tool: string;
  /** The arguments as written; they need not match the schema, or be JSON. */
  text: string;
}

/** The content of an answer to an elicitation, without what looks like a secret. */
export interface EarlierAnswer {
  contentJson: string;
  /** In ms since the Unix epoch. */
  atMs: number;
}

/** How a record is shown: indented, as received, or its bytes. */
export const RECORD_FORMS = ['decoded', 'raw', 'bytes'] as const;
export type RecordForm = (typeof RECORD_FORMS)[number];

/** The state of the traffic panel. */
export interface TrafficView {
  /** Only records of the selected server. */
  oneServer: boolean;
  /** The filter, as written. */
  filter: string;
  detailOpen: boolean;
  detailForm: RecordForm;
  /** Responses are not rows of their own: the request of a call has its status and its time. */
  oneRow: boolean;
  /** Whether the rows have a bar for their time. */
  timeline: boolean;
  /** The columns that are not shown, by their ids. */
  hiddenColumns: string[];
  /** The widths that the user has set, in px, by the ids of the columns. */
  columnWidths: Record<string, number>;
}

/** The state of the server-output panel. */
export interface OutputView extends LogFilter {
  /** Only lines of the selected server. */
  oneServer: boolean;
}

/** The state of the list of problems. */
export interface ProblemsView {
  /** Only those of the selected server. */
  oneServer: boolean;
  /** Which weights are not shown. */
  hidden: string[];
}

export const initialUiState: UiState = {
  ...initialAppearance,
  selectedServer: null,
  modes: {},
  exploreTab: 'tools',
  selectedChat: null,
  chatView: 'conversation',
  chatSideOpen: false,
  authorizationPart: 'sequence',
  authorizationSideOpen: true,
  authorizationSideInNarrow: false,
  collapsedGroups: [],
  selectedTools: {},
  toolGrouping: 'none',
  toolContextOpen: true,
  toolContextInMiddle: false,
  plainSecretsLeft: [],
  savedRequests: {},
  recentEntries: [],
  presets: {},
  unconfirmedServers: [],
  unconfirmedTools: {},
  watchesHosts: false,
  importedHosts: [],
  shortcuts: {},
  terminal: '',
  notifies: true,
  keepsAnswers: true,
  earlierAnswers: {},
  cannedAnswers: {},
  dockOpen: true,
  dockWaits: true,
  dockTab: 'traffic',
  traffic: {
    oneServer: false,
    filter: '',
    detailOpen: true,
    detailForm: 'decoded',
    oneRow: false,
    timeline: false,
    hiddenColumns: [],
    columnWidths: {},
  },
  logs: { source: 'all', hiddenLevels: [], logger: '', text: '' },
  output: { oneServer: true, source: 'stderr', hiddenLevels: [], logger: '', text: '' },
  problems: { oneServer: false, hidden: [] },
  layouts: {},
};

/** How long to wait for further changes before saving, in ms. */
const SAVE_AFTER_MS = 300;

/** The members that all windows share; the others are what one window shows, and are read when it opens. */
const SHARED = [
  'plainSecretsLeft',
  'savedRequests',
  'recentEntries',
  'presets',
  'unconfirmedServers',
  'unconfirmedTools',
  'watchesHosts',
  'importedHosts',
  'shortcuts',
  'terminal',
  'notifies',
  'keepsAnswers',
  'earlierAnswers',
  'cannedAnswers',
] as const satisfies readonly (keyof UiState)[];

export type UiStateStore = StoreApi<UiState> & {
  /**
   * Loads the saved state. Never fails: until that succeeds, the state is the initial one, and nothing is saved over what
   * was saved before.
   */
  load(): Promise<void>;
  /** Takes over what other windows have changed of what all share. */
  refresh(): Promise<void>;
  /** Saves pending changes now. */
  flush(): void;
};

/**
 * The window's state, stored by the engine shortly after each change. `onRefused` is told of the first refusal, and with null
 * that saving works again.
 */
export function createUiState(
  host: Host,
  onRefused: (error: CommandError | null) => void = () => {},
): UiStateStore {
  const store = createStore<UiState>(() => initialUiState);
  const storage = createStorage(host, store, onRefused);
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    storage.write();
  }

  /** Another window may have saved in the meantime: only what was changed here is saved over it. */
  async function save(): Promise<void> {
    timer = undefined;
    await storage.read();
    storage.write();
  }

  async function load(): Promise<void> {
    await storage.read();
    store.subscribe(() => {
      if (storage.isChanged()) timer ??= setTimeout(() => void save(), SAVE_AFTER_MS);
    });
  }

  return Object.assign(store, { load, refresh: storage.read, flush });
}

/** Reads the state from the engine, and writes the changes to it. */
function createStorage(
  host: Host,
  store: StoreApi<UiState>,
  onRefused: (error: CommandError | null) => void,
): { read: () => Promise<void>; write: () => void; isChanged: () => boolean } {
  /** What the engine has, as far as is known here. */
  let stored = initialUiState;
  /** The state of the window of which nothing is to be saved. */
  let seen = initialUiState;
  /** What was sent last; empty after a refusal, when the next change tells whether saving works again. */
  let sent = JSON.stringify(stored);
  let isRead = false;
  let isRefused = false;
  /** Whether the store is told of what was read, which is nothing to save. */
  let isTaking = false;
  /** How many writes have ended. */
  let writes = 0;

  function report(error: CommandError | null): void {
    // The loss of the connection is shown already, and what it kept from being saved is saved after it.
    if (error?.code === 'internal') return;
    if (isRefused === (error !== null)) return;
    isRefused = error !== null;
    onRefused(error);
  }

  function write(): void {
    if (!isRead) {
      void read().then(() => isRead && write());
      return;
    }
    const state = store.getState();
    const next = { ...stored, ...changes(state, seen, stored) };
    const stateJson = JSON.stringify(next);
    if (stateJson === sent) return;
    sent = stateJson;
    host.call('ui_state_set', { stateJson }).then(
      () => {
        writes += 1;
        stored = next;
        seen = state;
        report(null);
      },
      (thrown: unknown) => {
        sent = '';
        report(commandError(thrown));
      },
    );
  }

  async function read(): Promise<void> {
    try {
      const writesBefore = writes;
      const { stateJson } = await host.call('ui_state_get', {});
      // It may be older than what was written meanwhile.
      if (writes !== writesBefore) return await read();
      stored = keepSame(stored, stateJson === null ? initialUiState : readUiState(stateJson));
      if (sent !== '') sent = JSON.stringify(stored);
      // Changes made meanwhile are kept.
      const ours = changes(store.getState(), seen, stored);
      const taken = isRead ? sharedOf(stored) : stored;
      isRead = true;
      seen = { ...seen, ...taken };
      isTaking = true;
      store.setState({ ...taken, ...ours });
    } catch {
      // The state that is known will do; the next change tries again.
    } finally {
      isTaking = false;
    }
  }

  return {
    read,
    write,
    isChanged: () =>
      !isTaking && (sent === '' || Object.keys(changes(store.getState(), seen, stored)).length > 0),
  };
}

function sharedOf(state: UiState): Partial<UiState> {
  return Object.fromEntries(SHARED.map((key) => [key, state[key]]));
}

/** The members of a state that differ from an earlier one, as they are to be in a state of another window. */
function changes(state: UiState, before: UiState, theirs: UiState): Partial<UiState> {
  const known: Record<string, unknown> = { ...before };
  const others: Record<string, unknown> = { ...theirs };
  return Object.fromEntries(
    Object.entries(state)
      .filter(([key, value]) => value !== known[key])
      .map(([key, value]) => [key, joined(value, known[key], others[key])]),
  );
}

/** A value that was changed here. Of a map, such as that of the presets by server, only what was changed in it. */
function joined(ours: unknown, before: unknown, theirs: unknown): unknown {
  if (!isPlain(ours) || !isPlain(before) || !isPlain(theirs) || before === theirs) return ours;
  const keys = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])];
  return Object.fromEntries(
    keys
      .map((key) => [key, ownOf(ownOf(ours, key) === ownOf(before, key) ? theirs : ours, key)] as const)
      .filter(([, value]) => value !== undefined),
  );
}

/** A saved state; the initial state where it is not understood. */
export function readUiState(stateJson: string): UiState {
  let saved: unknown;
  try {
    saved = JSON.parse(stateJson);
  } catch {
    return initialUiState;
  }
  const merged = merge(initialUiState, saved);
  return {
    ...merged,
    ...readAppearance(merged),
    savedRequests: readSaved(merged.savedRequests, isSavedRequest),
    presets: readSaved(merged.presets, isPreset),
    earlierAnswers: readSaved(merged.earlierAnswers, isEarlierAnswer),
    cannedAnswers: onlyTexts(merged.cannedAnswers),
    unconfirmedTools: readSaved(merged.unconfirmedTools, (name) => typeof name === 'string'),
    modes: onlyTexts(merged.modes),
    chatView: oneOf(CHAT_VIEWS, merged.chatView),
    toolGrouping: oneOf(TOOL_GROUPINGS, merged.toolGrouping),
    authorizationPart: oneOf(AUTHORIZATION_PARTS, merged.authorizationPart),
    traffic: {
      ...merged.traffic,
      detailForm: oneOf(RECORD_FORMS, merged.traffic.detailForm),
      columnWidths: onlyNumbers(merged.traffic.columnWidths),
    },
    logs: { ...merged.logs, source: oneOf(LOG_SOURCES, merged.logs.source) },
    output: { ...merged.output, source: oneOf(['stderr', 'all', 'messages'], merged.output.source) },
  };
}

/** What is saved by server, without what is not such an item. */
function readSaved<T>(
  saved: Record<string, unknown>,
  isItem: (value: unknown) => value is T,
): Record<string, T[]> {
  const lists = Object.entries(saved).map(([serverId, list]): [string, T[]] => [
    serverId,
    Array.isArray(list) ? list.filter(isItem) : [],
  ]);
  return Object.fromEntries(lists);
}

function hasTexts(value: unknown, ...names: string[]): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  return names.every((name) => typeof (value as Record<string, unknown>)[name] === 'string');
}

function isSavedRequest(value: unknown): value is SavedRequest {
  return (
    hasTexts(value, 'name', 'method', 'text') && (value['mode'] === 'request' || value['mode'] === 'message')
  );
}

function isPreset(value: unknown): value is Preset {
  return hasTexts(value, 'name', 'tool', 'text');
}

function isEarlierAnswer(value: unknown): value is EarlierAnswer {
  return hasTexts(value, 'contentJson') && typeof value['atMs'] === 'number';
}

function onlyTexts(saved: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(saved).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function onlyNumbers(saved: Record<string, unknown>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(saved).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}

/** `value` where it has the same type as in `base`, else `base`; nothing that `base` does not have. */
function merge<T>(base: T, value: unknown): T {
  if (base === null) return (typeof value === 'string' ? value : null) as T;
  if (Array.isArray(base)) {
    return (Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : base) as T;
  }
  if (typeof base === 'object') {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return base;
    const saved = value as Record<string, unknown>;
    const entries = Object.entries(base as Record<string, unknown>);
    // An empty object in the initial state is a map with free keys.
    if (entries.length === 0) return saved as T;
    return Object.fromEntries(entries.map(([key, item]) => [key, merge(item, saved[key])])) as T;
  }
  return typeof value === typeof base ? (value as T) : base;
}
