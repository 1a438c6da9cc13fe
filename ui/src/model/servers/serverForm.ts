import type {
  AutomaticDraft,
  DefinitionTrust,
  ListPaging,
  EnvVar,
  EraChoice,
  RootSetId,
  RootsRule,
  ServerDraft,
  TransportDraft,
} from '../../contract/generated';
import {
  type AuthorizationForm,
  type AuthorizationProblems,
  authorizationDraftOf,
  authorizationFormOf,
  authorizationProblemsOf,
  emptyAuthorizationForm,
} from '../authorization/authorizationForm';
import { rootFolders as folders, rootsProblem } from './roots/rootWords';
import { shellQuote } from '../text/copyAs';
import {
  type AdvertisedForm,
  type AdvertisedProblems,
  advertisedDraftOf,
  advertisedFormOf,
  advertisedProblemsOf,
  emptyAdvertisedForm,
} from './advertisedForm';
import {
  type DebuggerForm,
  type DebuggerProblems,
  debuggerDraftOf,
  debuggerFormOf,
  debuggerProblemsOf,
  emptyDebuggerForm,
} from './debuggerForm';
import {
  type FileWatchForm,
  type FileWatchProblems,
  emptyFileWatchForm,
  fileWatchDraftOf,
  fileWatchFormOf,
  fileWatchProblemsOf,
} from './fileWatch/fileWatchForm';
import { type LimitForm, type LimitProblems, limitFormOf, limitProblemsOf, limitsOf } from './limitForm';
import {
  type HttpForm,
  type HttpProblems,
  emptyHttpForm,
  hasHttpProblems,
  httpDraftOf,
  httpFormOf,
  httpProblemsOf,
} from './httpForm';
import { type UnreadLine, lineProblem } from './unreadLine';

/** A server as the dialog edits it: text as typed, seconds instead of milliseconds. */
export interface ServerForm {
  name: string;
  /** Whether nothing may connect it. The dialog does not change it. */
  disabled: boolean;
  groups: string[];
  transport: TransportDraft['type'];
  command: string;
  args: string[];
  /** Command and arguments as one line, while they are not those above. */
  line?: UnreadLine | undefined;
  env: EnvVar[];
  /** Whether a program gets all variables of Patchbay's environment. */
  inheritEnvironment: boolean;
  cwd: string;
  http: HttpForm;
  authorization: AuthorizationForm;
  era: EraChoice;
  requestSeconds: string;
  maxTotalSeconds: string;
  resetOnProgress: boolean;
  /** Whether the wait for the user's input counts. */
  countInputWait: boolean;
  /** Between pings of a legacy connection; empty: none are sent. */
  pingSeconds: string;
  /** How `roots/list` is answered. */
  roots: RootsRule['type'];
  rootFolders: RootDraft[];
  /** The shared sets of folders that are sent too. */
  rootSets: RootSetId[];
  /** What happens when the definition of a tool changes. */
  definitionTrust: DefinitionTrust;
  /** Whether what the server says about its tools is trusted. */
  trustAnnotations: boolean;
  /** What Patchbay does by itself. */
  automatic: AutomaticDraft;
  /** When a program is restarted because files changed. */
  fileWatch: FileWatchForm;
  /** The debugger that a program is started under. */
  debugger: DebuggerForm;
  /** How the pages of lists are requested. */
  listPaging: ListPaging;
  advertised: AdvertisedForm;
  /** What the server may cost, where it differs from the default. */
  limits: LimitForm;
}

/** A folder that is a root. */
export interface RootDraft {
  /** Absolute. */
  path: string;
  /** What the server sees; empty for the name of the folder. */
  name: string;
  /** Who chose it, if it is not saved yet: the user in this form, or the author of the pasted text. */
  from?: 'user' | 'pasted';
}

/** The problems of a form, by field; `env` by row. */
export interface FormProblems {
  name?: string;
  command?: string;
  line?: string;
  env: Record<number, string>;
  http: HttpProblems;
  authorization: AuthorizationProblems;
  advertised: AdvertisedProblems;
  limits: LimitProblems;
  fileWatch: FileWatchProblems;
  debugger: DebuggerProblems;
  requestSeconds?: string;
  maxTotalSeconds?: string;
  pingSeconds?: string;
  roots?: string;
}

/** A form without problems. */
export const NO_PROBLEMS: FormProblems = {
  env: {},
  http: { headers: {} },
  authorization: {},
  advertised: {},
  limits: {},
  fileWatch: {},
  debugger: {},
};

const DEFAULT_REQUEST_MS = 60_000;
const DEFAULT_TOTAL_MS = 600_000;
const LONGEST_NAME = 100;

export function emptyForm(): ServerForm {
  return {
    name: '',
    disabled: false,
    groups: [],
    transport: 'stdio',
    command: '',
    args: [],
    env: [],
    inheritEnvironment: false,
    cwd: '',
    http: emptyHttpForm(),
    authorization: emptyAuthorizationForm(),
    era: 'auto',
    requestSeconds: String(DEFAULT_REQUEST_MS / 1000),
    maxTotalSeconds: String(DEFAULT_TOTAL_MS / 1000),
    resetOnProgress: true,
    countInputWait: false,
    pingSeconds: '',
    roots: 'none',
    rootFolders: [],
    rootSets: [],
    definitionTrust: 'ask',
    trustAnnotations: false,
    automatic: { connect: false, reconnect: false },
    fileWatch: emptyFileWatchForm(),
    debugger: emptyDebuggerForm(),
    listPaging: 'all',
    advertised: emptyAdvertisedForm(),
    limits: {},
  };
}

export function formOf(draft: ServerDraft): ServerForm {
  const { name, transport, era, timeouts, healthPingMs, roots } = draft;
  const form: ServerForm = {
    ...emptyForm(),
    name,
    disabled: draft.disabled ?? false,
    groups: draft.groups ?? [],
    transport: transport.type,
    era,
    requestSeconds: String(timeouts.requestMs / 1000),
    maxTotalSeconds: String(timeouts.maxTotalMs / 1000),
    resetOnProgress: timeouts.resetOnProgress,
    countInputWait: timeouts.countInputWait ?? false,
    pingSeconds: healthPingMs === undefined || healthPingMs === 0 ? '' : String(healthPingMs / 1000),
    roots: roots?.type ?? 'none',
    rootFolders:
      roots?.type === 'folders' ? roots.paths.map((path) => ({ path, name: roots.names?.[path] ?? '' })) : [],
    rootSets: roots?.type === 'folders' ? (roots.sets ?? []) : [],
    definitionTrust: draft.definitionTrust ?? 'ask',
    trustAnnotations: draft.trustAnnotations ?? false,
    automatic: draft.automatic ?? emptyForm().automatic,
    fileWatch: fileWatchFormOf(draft.fileWatch),
    debugger: debuggerFormOf(draft.debugger),
    inheritEnvironment: draft.inheritEnvironment ?? false,
    listPaging: draft.listPaging ?? 'all',
    advertised: advertisedFormOf(draft.advertised),
    limits: limitFormOf(draft.limits),
  };
  if (transport.type === 'http') {
    return { ...form, http: httpFormOf(transport), authorization: authorizationFormOf(draft.authorization) };
  }
  const { command, args, env, cwd } = transport;
  return { ...form, command, args, env, cwd: cwd ?? '' };
}

/** The command line or URL of a server. */
export function reachedBy(transport: TransportDraft): string {
  return transport.type === 'stdio' ? commandLine(transport.command, transport.args) : transport.url;
}

/** The draft of a form. Only for a form without problems. */
export function draftOf(form: ServerForm): ServerDraft {
  const draft: ServerDraft = {
    name: form.name.trim(),
    transport: form.transport === 'http' ? httpDraftOf(form.http) : programOf(form),
    era: form.era,
    timeouts: {
      requestMs: Math.round(Number(form.requestSeconds) * 1000),
      maxTotalMs: Math.round(Number(form.maxTotalSeconds) * 1000),
      resetOnProgress: form.resetOnProgress,
      ...(form.countInputWait ? { countInputWait: true } : {}),
    },
  };
  if (form.disabled) draft.disabled = true;
  if (form.groups.length > 0) draft.groups = form.groups;
  const healthPingMs = Math.round(Number(form.pingSeconds) * 1000);
  if (healthPingMs > 0) draft.healthPingMs = healthPingMs;
  const roots = rootsOf(form);
  if (roots.type !== 'none') draft.roots = roots;
  if (form.definitionTrust !== 'ask') draft.definitionTrust = form.definitionTrust;
  if (form.trustAnnotations) draft.trustAnnotations = true;
  if (form.automatic.connect || form.automatic.reconnect) draft.automatic = form.automatic;
  if (form.listPaging !== 'all') draft.listPaging = form.listPaging;
  if (form.inheritEnvironment && form.transport === 'stdio') draft.inheritEnvironment = true;
  const fileWatch = form.transport === 'stdio' ? fileWatchDraftOf(form.fileWatch) : undefined;
  if (fileWatch !== undefined) draft.fileWatch = fileWatch;
  const debug = form.transport === 'stdio' ? debuggerDraftOf(form.debugger) : undefined;
  if (debug !== undefined) draft.debugger = debug;
  const advertised = advertisedDraftOf(form.advertised);
  if (advertised !== undefined) draft.advertised = advertised;
  const limits = limitsOf(form.limits);
  if (limits !== undefined) draft.limits = limits;
  // A stdio server reads its tokens from its environment.
  const authorization = form.transport === 'http' ? authorizationDraftOf(form.authorization) : undefined;
  return authorization === undefined ? draft : { ...draft, authorization };
}

/** The draft of a server as it is now, with what differs in the form from what it began with: the rest may have changed elsewhere. */
export function editedDraft(now: ServerDraft, initial: ServerForm, form: ServerForm): ServerDraft {
  const [before, after] = [draftOf(initial), draftOf(form)];
  const draft = withChanges(now, before, after);
  const types = new Set([now, before, after].map(({ transport }) => transport.type));
  if (types.size > 1) return draft;
  return { ...draft, transport: withChanges(now.transport, before.transport, after.transport) };
}

/** `now` with the members that differ between two other values, as they are in the later one. */
function withChanges<T extends object>(now: T, before: T, after: T): T {
  const was = new Map<string, unknown>(Object.entries(before));
  const is = new Map<string, unknown>(Object.entries(after));
  const isSame = ([key]: [string, unknown]): boolean =>
    JSON.stringify(was.get(key)) === JSON.stringify(is.get(key));
  const members = [...Object.entries(now).filter(isSame), ...[...is].filter((member) => !isSame(member))];
  return Object.fromEntries(members) as T;
}

/** What of a server is trusted, in a few words. */
export function trustInWords({ definitionTrust, trustAnnotations }: ServerForm): string {
  const trusted = [
    definitionTrust === 'accept' ? 'changes trusted' : '',
    trustAnnotations ? 'annotations trusted' : '',
  ];
  return trusted.filter(Boolean).join(', ');
}

/** What Patchbay does by itself, in a few words. */
export function automaticInWords(automatic: AutomaticDraft | undefined): string {
  const { connect, reconnect } = automatic ?? emptyForm().automatic;
  return [connect ? 'at start' : '', reconnect ? 'when lost' : ''].filter(Boolean).join(', ');
}

/** The form of a pasted server: its roots are not the choice of the user. */
export function pastedFormOf(draft: ServerDraft): ServerForm {
  const form = formOf(draft);
  return {
    ...form,
    rootFolders: form.rootFolders.map((root): RootDraft => ({ ...root, from: 'pasted' })),
  };
}

/** The folders that the user chose in the form: entering them is consent. */
export function chosenRoots({ roots, rootFolders }: ServerForm): string[] {
  if (roots !== 'folders') return [];
  const chosen = rootFolders.filter(({ path, from }) => from === 'user' && path.trim() !== '');
  return chosen.map(({ path }) => path.trim());
}

function rootsOf({ roots, rootFolders, rootSets }: ServerForm): RootsRule {
  if (roots !== 'folders') return { type: roots };
  return rootsRule(rootFolders, rootSets);
}

/** The rule that sends these folders, and those of these shared sets. */
export function rootsRule(roots: readonly RootDraft[], sets: readonly RootSetId[] = []): RootsRule {
  const kept = folders(roots);
  const names = Object.fromEntries(
    kept.flatMap(({ path, name }) => (name === undefined ? [] : [[path, name] as const])),
  );
  return {
    type: 'folders',
    paths: kept.map(({ path }) => path),
    ...(Object.keys(names).length > 0 && { names }),
    ...(sets.length > 0 && { sets: [...sets] }),
  };
}

function programOf({ command, args, env, cwd }: ServerForm): TransportDraft {
  return {
    type: 'stdio',
    command: command.trim(),
    args,
    env: env.filter(({ name, value }) => name !== '' || value !== ''),
    cwd: cwd.trim() === '' ? null : cwd.trim(),
  };
}

/** What is wrong with the name of a server; null if nothing. */
export function nameProblem(given: string, taken: readonly string[]): string | null {
  const name = given.trim();
  if (name === '') return 'Enter a name.';
  if (Array.from(name).length > LONGEST_NAME) return `At most ${LONGEST_NAME} characters.`;
  return taken.includes(name) ? 'Another server has this name.' : null;
}

/** Checks a form before it is sent. `taken` are the names of the other servers. */
export function problemsOf(form: ServerForm, taken: readonly string[]): FormProblems {
  const problems: FormProblems = {
    env: {},
    http: { headers: {} },
    authorization: {},
    advertised: advertisedProblemsOf(form.advertised),
    limits: limitProblemsOf(form.limits),
    fileWatch: form.transport === 'stdio' ? fileWatchProblemsOf(form.fileWatch) : {},
    debugger: form.transport === 'stdio' ? debuggerProblemsOf(form.debugger) : {},
  };
  const name = nameProblem(form.name, taken);
  if (name !== null) problems.name = name;
  if (form.transport === 'http') {
    problems.http = httpProblemsOf(form.http);
    problems.authorization = authorizationProblemsOf(form.authorization);
  } else addProgramProblems(form, problems);

  const request = secondsProblem(form.requestSeconds);
  const total = secondsProblem(form.maxTotalSeconds);
  if (request !== undefined) problems.requestSeconds = request;
  if (total !== undefined) problems.maxTotalSeconds = total;
  else if (request === undefined && Number(form.maxTotalSeconds) < Number(form.requestSeconds)) {
    problems.maxTotalSeconds = 'Must not be less than the request timeout.';
  }
  const ping = form.pingSeconds.trim() === '' ? undefined : secondsProblem(form.pingSeconds);
  if (ping !== undefined) problems.pingSeconds = ping;
  const roots = form.roots === 'folders' ? rootsProblem(form.rootFolders) : undefined;
  if (roots !== undefined) problems.roots = roots;
  return problems;
}

function addProgramProblems(form: ServerForm, problems: FormProblems): void {
  const command = form.command.trim();
  if (command === '') problems.command = 'Enter a command.';
  else if (/^https?:\/\//i.test(command)) problems.command = 'This is a URL: choose URL above.';

  const line = lineProblem(form.line);
  if (line !== undefined) problems.line = line;

  form.env.forEach(({ name: variable, value }, row) => {
    if (variable === '' && value === '') return;
    if (variable === '') problems.env[row] = 'Enter a name.';
    else if (/[=\0]/.test(variable)) problems.env[row] = 'A name cannot contain “=”.';
    else if (form.env.some((other, at) => at < row && other.name === variable)) {
      problems.env[row] = 'Set twice.';
    }
  });
}

/** Whether a command line of the form is being read: it can be saved only then. */
export function isReading({ transport, line, fileWatch }: ServerForm): boolean {
  if (transport !== 'stdio') return false;
  return line?.problem === null || (fileWatch.on && fileWatch.line?.problem === null);
}

export function hasProblems({
  env,
  http,
  authorization,
  advertised,
  limits,
  fileWatch,
  debugger: debug,
  ...fields
}: FormProblems): boolean {
  return (
    Object.keys(env).length > 0 ||
    hasHttpProblems(http) ||
    Object.keys(authorization).length > 0 ||
    Object.keys(advertised).length > 0 ||
    Object.keys(limits).length > 0 ||
    Object.keys(fileWatch).length > 0 ||
    Object.keys(debug).length > 0 ||
    Object.values(fields).some((problem) => problem !== undefined)
  );
}

function secondsProblem(text: string): string | undefined {
  const seconds = Number(text);
  if (text.trim() === '' || !Number.isFinite(seconds) || seconds <= 0)
    return 'Enter a number greater than 0.';
  // Milliseconds cross as 32-bit numbers.
  if (seconds > 4_000_000) return 'At most 4,000,000 seconds.';
  return undefined;
}

/**
 * Whether the text of the command is a whole command line (`npx -y server`). A path may contain spaces: only one whose further
 * words begin with a hyphen counts.
 */
export function isCommandLine(command: string): boolean {
  const [first = '', ...words] = command.trim().split(/\s+/);
  return words.length > 0 && (!/[/\\]/.test(first) || words.some((word) => word.startsWith('-')));
}

/** Command and arguments as one line, quoted for a shell. */
export function commandLine(command: string, args: readonly string[]): string {
  return [command, ...args]
    .filter((word, i) => i > 0 || word !== '')
    .map(quote)
    .join(' ');
}

function quote(word: string): string {
  return word === '' ? "''" : shellQuote(word);
}
