import { type ReactNode, createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { Seq, ServerId, ServerItem } from '../../contract/generated';
import type { Host } from '../../host/host';
import { Link } from '../../host/link';
import { type AppEvents, createAppEvents } from './appEvents';
import {
  type Authorization,
  type AuthorizationsStore,
  createAuthorizations,
  noAuthorization,
} from '../authorization/authorizations';
import { type ChatsStore, createChats } from '../chat/chats';
import { type CompareStore, createCompare } from '../chat/compare';
import { type ComposerStore, createComposer } from '../exchange/composer';
import { type ExchangesStore, createExchanges } from '../exchange/exchanges';
import { type InputsStore, createInputs } from '../inbox/inputs';
import { type ProvidersStore, createProviders } from '../inbox/sampling/providers';
import { type SamplingStore, createSampling } from '../inbox/sampling/sampling';
import { pullWhenReady } from './pullWhenReady';
import { type ServerChangesStore, createServerChanges } from '../connection/serverChanges';
import { type RootsStore, createRoots } from '../servers/roots/roots';
import { shownName } from '../connection/serverName';
import { type ConnectQueue, createConnectQueue } from '../servers/groups/connectQueue';
import { type ServersState, type ServersStore, createServers } from '../servers/servers';
import { type SubscriptionsStore, createSubscriptions } from '../lists/subscriptions/subscriptions';
import { type TasksStore, createTasks } from '../lists/tasks/tasks';
import { type DefinitionsStore, createDefinitions } from '../tools/definitions';
import { type AppLogStore, createAppLog } from '../tools/apps/appLog';
import { type ToolDraftsStore, createToolDrafts } from '../tools/toolDrafts';
import { Background, startWorker } from '../background/background';
import { type Checker, createChecker } from '../form/check/checker';
import { type ProblemsStore, createProblems } from '../connection/problems/problems';
import { type Completions, createCompletions } from '../form/completions';
import { type Lists, createLists } from '../lists/lists';
import { type ResourceViewsStore, createResourceViews } from '../lists/resources/resourceViews';
import { type PromptHandoverStore, createPromptHandover } from '../lists/prompts/promptHandover';
import { type PromptViewsStore, createPromptViews } from '../lists/prompts/promptViews';
import { type SkillViewsStore, createSkillViews } from '../lists/skills/skillViews';
import { type RequestReader, createRequestReader } from '../inbox/request/requestReader';
import { type UiState, type UiStateStore, createUiState } from './uiState';
import { chosenKeys } from './shortcuts/bound';
import { type DeepLinksStore, createDeepLinks } from './deepLinks';
import { type MarkdownParser, createMarkdownParser } from '../text/markdown/parser';
import { type InTurn, createInTurn } from '../store/inTurn';
import { type VaultStore, createVault } from '../vault/vault';
import { type Workspace, type WorkspaceStore, createWorkspace } from './workspace';

/** The state of the window, created once. */
export interface Model extends Lists {
  readonly host: Host;
  readonly link: Link;
  readonly events: AppEvents;
  readonly servers: ServersStore;
  readonly problems: ProblemsStore;
  readonly connectQueue: ConnectQueue;
  /** For changes of the order of servers and groups. */
  readonly moves: InTurn;
  readonly ui: UiStateStore;
  readonly workspace: WorkspaceStore;
  readonly appLog: AppLogStore;
  readonly toolDrafts: ToolDraftsStore;
  readonly definitions: DefinitionsStore;
  readonly serverChanges: ServerChangesStore;
  readonly resourceViews: ResourceViewsStore;
  readonly promptViews: PromptViewsStore;
  readonly skillViews: SkillViewsStore;
  readonly promptHandover: PromptHandoverStore;
  readonly completions: Completions;
  readonly checker: Checker;
  readonly markdown: MarkdownParser;
  /** Indents JSON text; as it is if it is not JSON, or takes too long. Never rejects. */
  readonly indentInBackground: (json: string, signal?: AbortSignal) => Promise<string>;
  readonly requestReader: RequestReader;
  readonly exchanges: ExchangesStore;
  readonly composer: ComposerStore;
  readonly inputs: InputsStore;
  readonly providers: ProvidersStore;
  readonly roots: RootsStore;
  readonly chats: ChatsStore;
  readonly compare: CompareStore;
  readonly sampling: SamplingStore;
  readonly subscriptions: SubscriptionsStore;
  readonly tasks: TasksStore;
  readonly authorizations: AuthorizationsStore;
  readonly vault: VaultStore;
  readonly deepLinks: DeepLinksStore;
}

/** How long indenting may take, in ms. */
const INDENT_MS = 5_000;

export function createModel(host: Host, link: Link = new Link()): Model {
  const events = createAppEvents(host, link);
  const texts = new Background(startWorker);
  const workspace = createWorkspace();
  const ui = createUiState(host, (notStored) => workspace.setState({ notStored }));
  bindKeys(ui);
  // Also loads the state if that failed before.
  events.onResync(() => ui.flush());
  const servers = createServers(host, events);
  const lists = createLists(host, events);
  const tasks = createTasks(host, events);
  const exchanges = createExchanges(host, Date.now, (serverId, task) => tasks.put(serverId, task), link);
  pullWhenReady(servers, ui, lists.tools);
  const inputs = createInputs(host, events);
  const sampling = createSampling(host);
  const promptHandover = createPromptHandover();
  const chats = createChats(host, events);
  inputs.subscribe(({ items, withdrawn }, before) => {
    if (items === before.items && withdrawn === before.withdrawn) return;
    sampling.keepOnly(new Set([...items, ...withdrawn].map(({ id }) => id)));
  });
  return {
    host,
    link,
    events,
    servers,
    problems: createProblems(host, servers, events),
    connectQueue: createConnectQueue(servers),
    moves: createInTurn(),
    ui,
    workspace,
    ...lists,
    appLog: createAppLog(Date.now),
    toolDrafts: createToolDrafts(),
    definitions: createDefinitions(host, events),
    serverChanges: createServerChanges(host, events),
    resourceViews: createResourceViews(),
    promptViews: createPromptViews(),
    skillViews: createSkillViews(),
    promptHandover,
    completions: createCompletions(host),
    // Three workers: an expensive schema does not delay texts, and neither delays a request that a person is to answer.
    checker: createChecker(new Background(startWorker)),
    markdown: createMarkdownParser(texts),
    indentInBackground: async (json, signal) => {
      const outcome = await texts.run({ type: 'indent', json }, INDENT_MS, signal);
      return outcome.type === 'done' ? outcome.value : json;
    },
    requestReader: createRequestReader(new Background(startWorker)),
    exchanges,
    composer: createComposer(host, exchanges),
    inputs,
    providers: createProviders(host, events),
    roots: createRoots(host, events),
    chats,
    compare: createCompare(host, events, chats),
    sampling,
    subscriptions: createSubscriptions(host, Date.now),
    tasks,
    authorizations: createAuthorizations(host, events, servers),
    vault: createVault(host, events, servers),
    deepLinks: createDeepLinks(host, events),
  };
}

/** The keys on buttons and in menus are those that the user chose. */
function bindKeys(ui: UiStateStore): void {
  chosenKeys.setState({ chosen: ui.getState().shortcuts });
  ui.subscribe(({ shortcuts }, before) => {
    if (shortcuts !== before.shortcuts) chosenKeys.setState({ chosen: shortcuts });
  });
}

const Context = createContext<Model | null>(null);

export function ModelProvider({ model, children }: { model: Model; children: ReactNode }) {
  return <Context value={model}>{children}</Context>;
}

export function useModel(): Model {
  const model = useContext(Context);
  if (model === null) throw new Error('useModel outside of ModelProvider');
  return model;
}

/** The engine. */
export function useHost(): Host {
  return useModel().host;
}

export function useUi<T>(selector: (state: UiState) => T): T {
  return useStore(useModel().ui, selector);
}

export function useServers<T>(selector: (state: ServersState) => T): T {
  return useStore(useModel().servers, selector);
}

export function useWorkspace<T>(selector: (state: Workspace) => T): T {
  return useStore(useModel().workspace, selector);
}

/**
 * A part of a server; the server is undefined if it is gone or not loaded. The component renders only when that part
 * changes: the counts of a busy connection change twenty times a second, its name and state rarely do.
 */
export function useServerPart<T>(serverId: ServerId | null, part: (server: ServerItem | undefined) => T): T {
  return useServers(({ items }) => part(items?.find((item) => item.id === serverId)));
}

/** The name of a server, as the window shows it. */
export function useServerName(serverId: ServerId | null): string | undefined {
  return useServerPart(serverId, (server) => server && shownName(server));
}

/** The authorization of a server. */
export function useAuthorization(serverId: ServerId): Authorization {
  return useStore(useModel().authorizations, (all) => all[serverId] ?? noAuthorization);
}

/** The mode the user chose for a server; undefined: none yet. */
export function useMode(serverId: ServerId | null): string | undefined {
  return useUi(({ modes }) => (serverId === null ? undefined : modes[serverId]));
}

/** Shows a record in the traffic panel, opening it if needed. */
export function useReveal(): (seq: Seq) => void {
  const { ui, workspace } = useModel();
  return (seq) => {
    ui.setState({ dockOpen: true, dockTab: 'traffic' });
    workspace.setState({ revealRequest: { seq } });
  };
}
