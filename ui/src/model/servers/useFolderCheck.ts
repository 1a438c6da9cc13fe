import { useEffect, useState } from 'react';
import type { FolderCheckResponse } from '../../contract/generated';
import { useHost } from '../workspace/context';

/** How long typing must pause before the path is checked, in ms. */
const PAUSE_MS = 200;
/** A folder is checked again after this time, in ms: it may be removed while it is shown. */
const AGAIN_MS = 5_000;

/** Whether a folder can be a root; null until it is known, and for an empty path. */
export function useFolderCheck(path: string): FolderCheckResponse | null {
  const host = useHost();
  const [checked, setChecked] = useState<{ path: string; found: FolderCheckResponse } | null>(null);
  useEffect(() => {
    if (path.trim() === '') return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isWanted = true;
    const check = (): void => {
      const again = (): void => {
        if (isWanted) timer = setTimeout(check, AGAIN_MS);
      };
      host.call('folder_check', { path }).then((found) => {
        if (isWanted) setChecked({ path, found });
        again();
      }, again);
    };
    timer = setTimeout(check, PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [host, path]);
  return checked?.path === path ? checked.found : null;
}
