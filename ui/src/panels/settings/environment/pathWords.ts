import type { FolderFacts, FolderState } from '../../../contract/generated';

const PROBLEMS: Record<Exclude<FolderState, 'ready' | 'notAbsolute'>, string> = {
  missing: 'Does not exist',
  notAFolder: 'Not a folder',
  unreadable: 'Not readable',
  notAnswering: 'Does not respond',
};

/** What is wrong with a folder of PATH, once that is known; undefined if nothing is. */
export function folderProblem(folder: string, facts: FolderFacts | undefined): string | undefined {
  if (folder === '' || facts === undefined || facts.state === 'ready') return undefined;
  if (facts.state !== 'notAbsolute') return PROBLEMS[facts.state];
  // One with `..` in it is looked up as any other.
  return /^([/\\]|[a-z]:)/i.test(folder) ? undefined : 'Relative';
}
