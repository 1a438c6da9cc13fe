import { useEffect, useRef } from 'react';
import type { Seq } from '../../contract/generated';
import { useModel, useWorkspace } from '../workspace/context';
import type { LogPlace } from '../workspace/workspace';
import type { RowSelection } from './useRowSelection';

const NOWHERE: LogPlace = { selected: null, after: null };

/** What a view of server logs keeps while another tab is open, or while the server reconnects. */
export function useLogPlace(view: string): { after: Seq | null; save: (part: Partial<LogPlace>) => void } {
  const { workspace } = useModel();
  const after = useWorkspace(({ logViews }) => logViews[view]?.after ?? null);
  const save = (part: Partial<LogPlace>): void =>
    workspace.setState(({ logViews }) => ({
      logViews: { ...logViews, [view]: { ...NOWHERE, ...logViews[view], ...part } },
    }));
  return { after, save };
}

/** Selects the line that was selected when the view was last shown, and keeps which one is. */
export function useKeptSelection(view: string, selection: RowSelection): void {
  const { workspace } = useModel();
  const { save } = useLogPlace(view);
  const { seq, selectSeq, setFollow } = selection;
  const restored = useRef(false);
  useEffect(() => {
    if (restored.current) {
      save({ selected: seq });
      return;
    }
    restored.current = true;
    const before = workspace.getState().logViews[view]?.selected ?? null;
    if (before === null) return;
    setFollow(false);
    void selectSeq(before).then(
      (isThere) => isThere === false && setFollow(true),
      () => setFollow(true),
    );
    // oxlint-disable-next-line react/exhaustive-deps -- only another selection is kept
  }, [seq]);
}
