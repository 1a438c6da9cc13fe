import type { EnvVar, EraChoice, ServerDraft, TransportDraft } from '../contract/generated/contract';
import { shellQuote } from './copyAs';

/** A server as the dialog edits it: text as typed, seconds instead of milliseconds. */
export interface ServerForm {
  name: string;
  command: string;
  args: string[];
  env: EnvVar[];
  cwd: string;
  era: EraChoice;
  requestSeconds: string;
  maxTotalSeconds: string;
  resetOnProgress: boolean;
}

/** What is wrong with a form, by field; `env` by its row. */
export interface FormProblems {
  name?: string;
  command?: string;
  env: Record<number, string>;
  requestSeconds?: string;
  maxTotalSeconds?: string;
}

const DEFAULT_REQUEST_MS = 60_000;
const DEFAULT_TOTAL_MS = 600_000;
const LONGEST_NAME = 100;

export function emptyForm(): ServerForm {
  return {
    name: '',
    command: '',
    args: [],
    env: [],
    cwd: '',
    era: 'auto',
    requestSeconds: String(DEFAULT_REQUEST_MS / 1000),
    maxTotalSeconds: String(DEFAULT_TOTAL_MS / 1000),
    resetOnProgress: true,
  };
}

export function formOf(draft: ServerDraft): ServerForm {
  const { command, args, env, cwd } = programOf(draft.transport);
  return {
    name: draft.name,
    command,
    args,
    env,
    cwd: cwd ?? '',
    era: draft.era,
    requestSeconds: String(draft.timeouts.requestMs / 1000),
    maxTotalSeconds: String(draft.timeouts.maxTotalMs / 1000),
    resetOnProgress: draft.timeouts.resetOnProgress,
  };
}

/** What is started; of a server at an address, nothing. */
function programOf(transport: TransportDraft) {
  return transport.type === 'stdio'
    ? transport
    : { command: '', args: [] as string[], env: [] as EnvVar[], cwd: null };
}

/** How a server is reached, in a line: its command line or its address. */
export function reachedBy(transport: TransportDraft): string {
  return transport.type === 'stdio' ? commandLine(transport.command, transport.args) : transport.url;
}

/** The draft a form stands for. Only for a form without problems. */
export function draftOf(form: ServerForm): ServerDraft {
  return {
    name: form.name.trim(),
    transport: {
      type: 'stdio',
      command: form.command.trim(),
      args: form.args,
      env: form.env.filter(({ name, value }) => name !== '' || value !== ''),
      cwd: form.cwd.trim() === '' ? null : form.cwd.trim(),
    },
    era: form.era,
    timeouts: {
      requestMs: Math.round(Number(form.requestSeconds) * 1000),
      maxTotalMs: Math.round(Number(form.maxTotalSeconds) * 1000),
      resetOnProgress: form.resetOnProgress,
    },
  };
}

/** Checks a form before it is sent. `taken` are the names of the other servers. */
export function problemsOf(form: ServerForm, taken: readonly string[]): FormProblems {
  const problems: FormProblems = { env: {} };
  const name = form.name.trim();
  if (name === '') problems.name = 'Give it a name.';
  else if (Array.from(name).length > LONGEST_NAME) problems.name = `At most ${LONGEST_NAME} characters.`;
  else if (taken.includes(name)) problems.name = 'Another server has this name.';
  if (form.command.trim() === '') problems.command = 'Say which program to start.';

  form.env.forEach(({ name: variable, value }, row) => {
    if (variable === '' && value === '') return;
    if (variable === '') problems.env[row] = 'A variable needs a name.';
    else if (/[=\0]/.test(variable)) problems.env[row] = 'A name cannot hold “=”.';
    else if (form.env.some((other, at) => at < row && other.name === variable)) {
      problems.env[row] = 'Set twice.';
    }
  });

  const request = secondsProblem(form.requestSeconds);
  const total = secondsProblem(form.maxTotalSeconds);
  if (request !== undefined) problems.requestSeconds = request;
  if (total !== undefined) problems.maxTotalSeconds = total;
  else if (request === undefined && Number(form.maxTotalSeconds) < Number(form.requestSeconds)) {
    problems.maxTotalSeconds = 'Not less than the time-out of a request.';
  }
  return problems;
}

export function hasProblems({ env, ...fields }: FormProblems): boolean {
  return Object.keys(env).length > 0 || Object.values(fields).some((problem) => problem !== undefined);
}

function secondsProblem(text: string): string | undefined {
  const seconds = Number(text);
  if (text.trim() === '' || !Number.isFinite(seconds) || seconds <= 0) return 'A number of seconds above 0.';
  // Milliseconds cross as 32-bit numbers.
  if (seconds > 4_000_000) return 'At most 4,000,000 seconds.';
  return undefined;
}

// The words by which the engine chooses what it masks in the log (engine/src/secrets.rs).
const SECRET_WORDS = new Set(
  (
    'TOKEN KEY SECRET PASSWORD PASSWD PASSPHRASE PWD CREDENTIAL AUTH BEARER COOKIE SESSION PAT DSN PRIVATE ' +
    'APIKEY ACCESSKEY SECRETKEY AUTHTOKEN'
  ).split(' '),
);
const HARMLESS_ENDS = new Set(
  (
    'FILE PATH DIR FOLDER SOCK SOCKET URL URI HOST PORT ADDRESS NAME TYPE MODE CLASS DESKTOP ENABLED TIMEOUT ' +
    'TTL SIZE'
  ).split(' '),
);
const NO_SECRETS = new Set(['PWD', 'OLDPWD', 'DESKTOP_SESSION']);

/** Whether a variable probably holds a secret: then its value starts masked here, and is masked in the log. */
export function looksSecret(name: string): boolean {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .split(/[^A-Z0-9]+/);
  if (NO_SECRETS.has(name) || HARMLESS_ENDS.has(words.at(-1) ?? '')) return false;
  return words.some((word) => SECRET_WORDS.has(word) || SECRET_WORDS.has(word.replace(/S$/, '')));
}

/** Command and arguments as one line that a shell would take apart the same way. */
export function commandLine(command: string, args: readonly string[]): string {
  return [command, ...args]
    .filter((word, i) => i > 0 || word !== '')
    .map(quote)
    .join(' ');
}

function quote(word: string): string {
  return word === '' ? "''" : shellQuote(word);
}
