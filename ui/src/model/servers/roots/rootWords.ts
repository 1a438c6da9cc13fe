import type { FolderState, RootFolder, RootItem, RootsRule } from '../../../contract/generated';
import type { RootDraft } from '../serverForm';
import { formatCount } from '../../text/format';

/** Why a folder cannot be a root, at its field. */
export const FOLDER_PROBLEMS: Record<Exclude<FolderState, 'ready'>, string> = {
  notAbsolute: 'The path must be absolute, without “..”',
  missing: 'This folder does not exist',
  notAFolder: 'This is a file, not a folder',
  unreadable: 'You do not have permission to read this folder',
  notAnswering: 'Its file system does not respond',
};

const STATES: Record<Exclude<FolderState, 'ready'>, string> = {
  notAbsolute: 'Not absolute',
  missing: 'Missing',
  notAFolder: 'Not a folder',
  unreadable: 'Not readable',
  notAnswering: 'Not responding',
};

/** Whether a server gets a folder, and if not, why. */
export interface RootStatus {
  status: 'ok' | 'waiting' | 'skipped' | 'failed';
  word: string;
}

/** A folder that cannot be read is not sent, whatever the user decided. */
export function rootStatus({ state, consent }: RootItem): RootStatus {
  if (state !== 'ready') return { status: 'failed', word: STATES[state] };
  if (consent === 'open') return { status: 'waiting', word: 'Waiting for you' };
  if (consent === 'declined') return { status: 'skipped', word: 'Declined' };
  return { status: 'ok', word: 'Allowed' };
}

/** How requests of a server are answered, in a sentence. */
export function answeredInWords(rule: RootsRule | undefined, folders: readonly RootItem[]): string {
  if (rule?.type === 'ask') return 'You are asked each time the server requests its roots.';
  if (rule?.type !== 'folders' || folders.length === 0) return 'The server gets an empty list.';
  const sent = folders.filter((folder) => rootStatus(folder).status === 'ok').length;
  return sent === folders.length
    ? `The server gets ${formatCount(sent, 'folder')}.`
    : `The server gets ${sent === 0 ? 'none' : formatCount(sent)} of ${formatCount(folders.length, 'folder')}.`;
}

/** The settings of roots in a word or two; empty for an empty list. */
export function rootsInWords(roots: RootsRule['type'], folders: readonly RootDraft[], sets: number): string {
  if (roots === 'none') return '';
  if (roots === 'ask') return 'ask me';
  const own = folders.filter(({ path }) => path.trim() !== '').length;
  const parts = [
    own > 0 || sets === 0 ? formatCount(own, 'folder') : '',
    sets > 0 ? formatCount(sets, 'shared set') : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Whether a path says by itself which folder it means, on Unix or Windows. The engine decides; this is for the form. */
export function isAbsolute(path: string): boolean {
  const isWhole = /^(\/|[a-z]:[/\\]|\\\\)/i.test(path);
  return isWhole && !path.split(/[/\\]/).includes('..');
}

/** The same text for the usual spellings of a folder. */
export function spelled(path: string): string {
  const text = path.trim();
  if (!text.startsWith('/')) return text;
  const parts = text.split('/').filter((part) => part !== '' && part !== '.');
  return `/${parts.join('/')}`;
}

/** The folders of a form, as they are stored. */
export function rootFolders(drafts: readonly RootDraft[]): RootFolder[] {
  return drafts
    .map(({ path, name }) => ({ path: path.trim(), name: name.trim() }))
    .filter(({ path }) => path !== '')
    .map(({ path, name }) => (name === '' ? { path } : { path, name }));
}

/** What is wrong with the folders of a form before they are sent. */
export function rootsProblem(drafts: readonly RootDraft[]): string | undefined {
  const paths = drafts.map(({ path }) => path.trim()).filter((path) => path !== '');
  const wrong = paths.find((path) => !isAbsolute(path));
  if (wrong !== undefined) return `“${wrong}” is not an absolute path.`;
  return paths.length > MOST ? `At most ${formatCount(MOST)} folders.` : undefined;
}

/** The engine accepts so many folders. */
const MOST = 1_000;
