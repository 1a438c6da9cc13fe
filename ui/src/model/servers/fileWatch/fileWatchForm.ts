import type { FileWatchDraft } from '../../../contract/generated';
import { formatCount } from '../../text/format';
import { isAbsolute } from '../roots/rootWords';
import { type UnreadLine, lineProblem } from '../unreadLine';

/** When a program is restarted because files changed, as the dialog edits it. */
export interface FileWatchForm {
  on: boolean;
  /** Files and folders; relative ones begin at the working directory. */
  paths: string[];
  /** What is not watched in them, one pattern a line. */
  ignored: string;
  quietMs: string;
  /** The build; empty: none. */
  command: string;
  args: string[];
  /** Command and arguments as one line, while they are not those above. */
  line?: UnreadLine | undefined;
  timeoutSeconds: string;
}

export interface FileWatchProblems {
  paths?: string;
  ignored?: string;
  quietMs?: string;
  command?: string;
  line?: string;
  timeoutSeconds?: string;
}

const QUIET_MS = 300;
const TIMEOUT_MS = 300_000;
/** The engine accepts so many paths, and so many patterns. */
const MOST = 100;

export function emptyFileWatchForm(): FileWatchForm {
  return {
    on: false,
    paths: [],
    ignored: '',
    quietMs: String(QUIET_MS),
    command: '',
    args: [],
    timeoutSeconds: String(TIMEOUT_MS / 1000),
  };
}

export function fileWatchFormOf(draft: FileWatchDraft | undefined): FileWatchForm {
  if (draft === undefined) return emptyFileWatchForm();
  const { on, paths, ignored, quietMs, build } = draft;
  return {
    on,
    paths,
    ignored: ignored.join('\n'),
    quietMs: String(quietMs),
    command: build?.command ?? '',
    args: build?.args ?? [],
    timeoutSeconds: String((build?.timeoutMs ?? TIMEOUT_MS) / 1000),
  };
}

/** The draft of a form; undefined if nothing differs from the default. */
export function fileWatchDraftOf(form: FileWatchForm): FileWatchDraft | undefined {
  if (JSON.stringify(form) === JSON.stringify(emptyFileWatchForm())) return undefined;
  const hasBuild = form.command.trim() !== '';
  return {
    on: form.on,
    paths: filled(form.paths),
    ignored: filled(form.ignored.split('\n')),
    quietMs: Math.round(Number(form.quietMs)),
    ...(hasBuild && {
      build: {
        command: form.command.trim(),
        args: form.args,
        timeoutMs: Math.round(Number(form.timeoutSeconds) * 1000),
      },
    }),
  };
}

/** What is wrong with a form. Fields are checked also while it is off: they are saved. A line that is not read is not. */
export function fileWatchProblemsOf(form: FileWatchForm): FileWatchProblems {
  const problems: FileWatchProblems = {};
  const paths = filled(form.paths);
  if (form.on && paths.length === 0) problems.paths = 'Choose a file or folder to watch.';
  else if (paths.length > MOST) problems.paths = `At most ${formatCount(MOST)} paths.`;
  if (filled(form.ignored.split('\n')).length > MOST) {
    problems.ignored = `At most ${formatCount(MOST)} patterns.`;
  }
  if (!isWithin(form.quietMs, 50, 60_000)) problems.quietMs = 'Between 50 and 60,000 ms.';
  if (form.command.trim() === '' && form.args.some((arg) => arg !== '')) {
    problems.command = 'Enter a command, or remove its arguments.';
  }
  const line = form.on ? lineProblem(form.line) : undefined;
  if (line !== undefined) problems.line = line;
  if (!isWithin(form.timeoutSeconds, 1, 3600)) problems.timeoutSeconds = 'Between 1 and 3,600 s.';
  return problems;
}

/** What is set, in a few words; empty if it is off. */
export function fileWatchInWords({ on, paths, command }: FileWatchForm): string {
  if (!on) return '';
  const watched = filled(paths);
  const what = watched.length === 1 ? (watched[0] ?? '') : formatCount(watched.length, 'path');
  return command.trim() === '' ? what : `${what}, after ${command.trim()}`;
}

/** A path as its file system knows it, where that is clear without one; null for a relative path in the home folder. */
export function resolved(path: string, cwd: string): string | null {
  const text = path.trim();
  if (text === '') return null;
  if (isAbsolute(text)) return text;
  const base = cwd.trim();
  if (!isAbsolute(base)) return null;
  const separator = base.includes('\\') ? '\\' : '/';
  const parts = base.split(/[/\\]/);
  for (const part of text.split(/[/\\]/)) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.filter((part, at) => at === 0 || part !== '').join(separator) || separator;
}

/** A chosen path, relative to the working directory if it is in it. */
export function relative(path: string, cwd: string): string {
  const base = cwd.trim().replace(/[/\\]+$/, '');
  if (base === '' || !isAbsolute(base)) return path;
  if (path.replace(/[/\\]+$/, '') === base) return '.';
  return path.startsWith(`${base}/`) || path.startsWith(`${base}\\`) ? path.slice(base.length + 1) : path;
}

function filled(lines: readonly string[]): string[] {
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}

function isWithin(text: string, least: number, most: number): boolean {
  const value = Number(text);
  return text.trim() !== '' && Number.isFinite(value) && value >= least && value <= most;
}
