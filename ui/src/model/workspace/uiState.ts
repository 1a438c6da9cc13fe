import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ChatId, CommandError, ServerId } from '../../contract/generated';
import type { Host } from '../../host/host';
import { commandError } from '../store/errors';
import { LOG_SOURCES, type LogFilter } from '../traffic/logQuery';
import { type Appearance, initialAppearance, oneOf, readAppearance } from './uiState/appearance';

/** The side views of an authorization run. */
export const AUTHORIZATION_PARTS = ['sequence', 'token'] as const;
export type AuthorizationPart = (typeof AUTHORIZATION_PARTS)[number];

/** The views of a conversation. */
export const CHAT_VIEWS = ['conversation', 'operations', 'raw'] as const;
export type ChatView = (typeof CHAT_VIEWS)[number];

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

/** The state of the traffic panel. */
export interface TrafficView {
  /** Only records of the selected server. */
  oneServer: boolean;
  /** The filter, as written. */
  filter: string;
  detailOpen: boolean;
  detailForm: 'decoded' | 'raw';
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

export type UiStateStore = StoreApi<UiState> & {
  /**
   * Loads the saved state. Never fails: until that succeeds, the state is the initial one, and nothing is saved over what
   * was saved before.
   */
  load(): Promise<void>;
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
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saved = JSON.stringify(initialUiState);
  let isRead = false;
  let isRefused = false;

  function report(error: CommandError | null): void {
    // The loss of the connection is shown already, and what it kept from being saved is saved after it.
    if (error?.code === 'internal') return;
    if (isRefused === (error !== null)) return;
    isRefused = error !== null;
    onRefused(error);
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (!isRead) {
      void read().then(() => isRead && flush());
      return;
    }
    const stateJson = JSON.stringify(store.getState());
    if (stateJson === saved) return;
    saved = stateJson;
    host.call('ui_state_set', { stateJson }).then(
      () => report(null),
      (thrown: unknown) => {
        // The next change saves again.
        saved = '';
        report(commandError(thrown));
      },
    );
  }

  async function read(): Promise<void> {
    try {
      const { stateJson } = await host.call('ui_state_get', {});
      isRead = true;
      const before = stateJson === null ? initialUiState : readUiState(stateJson);
      saved = JSON.stringify(before);
      // Changes made meanwhile are kept.
      store.setState({ ...before, ...changes(store.getState()) }, true);
    } catch {
      // The initial state will do; the next change tries again.
    }
  }

  async function load(): Promise<void> {
    await read();
    store.subscribe(() => {
      timer ??= setTimeout(flush, SAVE_AFTER_MS);
    });
  }

  return Object.assign(store, { load, flush });
}

/** The differences from the initial state. */
function changes(state: UiState): Partial<UiState> {
  const initial: Record<string, unknown> = { ...initialUiState };
  return Object.fromEntries(Object.entries(state).filter(([key, value]) => value !== initial[key]));
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
    authorizationPart: oneOf(AUTHORIZATION_PARTS, merged.authorizationPart),
    traffic: {
      ...merged.traffic,
      detailForm: oneOf(['decoded', 'raw'], merged.traffic.detailForm),
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
