import { useEffect, useState } from 'react';
import type { FolderFacts } from '../../../contract/generated';
import { useHost } from '../../workspace/context';

/** How long typing must pause before paths are checked, in ms. */
const PAUSE_MS = 200;
/** Folders are checked again after this time, in ms: they may be removed while they are shown. */
const AGAIN_MS = 5_000;
/** The engine checks so many at once. */
const MOST = 1_000;

/** What these folders would be as roots, by path as typed; a folder is missing until that is known, and if it is empty. */
export function useFolderChecks(paths: readonly string[]): ReadonlyMap<string, FolderFacts> {
  const host = useHost();
  const [facts, setFacts] = useState<ReadonlyMap<string, FolderFacts>>(new Map());
  const wanted = JSON.stringify([...new Set(paths.filter((path) => path.trim() !== ''))].slice(0, MOST));
  useEffect(() => {
    const typed = JSON.parse(wanted) as string[];
    if (typed.length === 0) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isWanted = true;
    const check = (): void => {
      const again = (): void => {
        if (isWanted) timer = setTimeout(check, AGAIN_MS);
      };
      // All in one call: a thousand folders are no thousand calls.
      host.call('folder_check', { paths: typed }).then(({ folders }) => {
        if (isWanted) setFacts((known) => merged(known, typed, folders));
        again();
      }, again);
    };
    timer = setTimeout(check, PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [host, wanted]);
  return facts;
}

/** The facts of these paths; equal ones are the same objects as before. */
function merged(
  known: ReadonlyMap<string, FolderFacts>,
  paths: readonly string[],
  folders: readonly FolderFacts[],
): ReadonlyMap<string, FolderFacts> {
  const entries = paths.flatMap((path, at) => {
    const fresh = folders[at];
    if (fresh === undefined) return [];
    const old = known.get(path);
    const isSame = old !== undefined && JSON.stringify(old) === JSON.stringify(fresh);
    return [[path, isSame ? old : fresh] as const];
  });
  return new Map(entries);
}
