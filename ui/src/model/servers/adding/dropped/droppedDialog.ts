import type { Host } from '../../../../host/host';
import type { Dialog, Workspace, WorkspaceStore } from '../../../workspace/workspace';
import { type DropSource, type DroppedItem, readDropped } from './droppedFiles';

/** The dialog that reviews one item; null if it cannot be added. `after` is opened when it is closed. */
export function reviewOf({ content }: DroppedItem, after?: Dialog): Dialog | null {
  const then = after === undefined ? {} : { after };
  switch (content.type) {
    case 'bundle':
      return { type: 'addBundle', bundle: content.bundle, ...then };
    case 'registry':
      return { type: 'addRegistry', source: { type: 'text', text: content.text }, ...then };
    case 'host':
      return { type: 'importServers', source: { type: 'files', files: [content.file] }, ...then };
    case 'servers':
      return { type: 'addServer', pasted: content.text, ...then };
    case 'refused':
      return null;
  }
}

/** The dialog for everything that was dropped: one review if that is enough, otherwise a list of it all. */
export function dialogFor(items: readonly DroppedItem[]): Dialog | null {
  const [first] = items;
  if (first === undefined) return null;
  const one = items.length === 1 ? reviewOf(first) : null;
  if (one !== null) return one;
  const files = items.flatMap(({ content }) => (content.type === 'host' ? [content.file] : []));
  if (files.length === items.length) return { type: 'importServers', source: { type: 'files', files } };
  return { type: 'dropped', items };
}

/** The review of the item at an index; the list is shown again when it is closed, as long as another is left. */
export function reviewFrom(items: readonly DroppedItem[], at: number): Dialog | null {
  const item = items[at];
  if (item === undefined) return null;
  const next = items.map((each, i) => (i === at ? { ...each, isReviewed: true } : each));
  const isLast = next.every(({ content, isReviewed }) => isReviewed || content.type === 'refused');
  return reviewOf(item, isLast ? undefined : { type: 'dropped', items: next });
}

/** Whether files that are dropped now may open a dialog: none is open in which something may have been entered. */
export function takesDrops(state: Workspace): boolean {
  const { dialog, vaultOpen, providersOpen, rootSetsOpen, helpPage } = state;
  const isAbove = vaultOpen || providersOpen || rootSetsOpen || helpPage !== null;
  return !isAbove && (dialog === null || dialog.type === 'dropped');
}

/** Lets the user choose files, and opens their reviews: the way of dropping them for the keyboard. */
export function addChosenFiles(host: Host, workspace: WorkspaceStore): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.addEventListener('change', () => {
    const sources = [...(input.files ?? [])].map((file): DropSource => ({ type: 'file', file }));
    void openDropped(host, workspace, sources);
  });
  input.click();
}

/** Reads what was dropped or chosen and opens its review, unless the user has opened another dialog meanwhile. */
export async function openDropped(
  host: Host,
  workspace: WorkspaceStore,
  sources: readonly DropSource[],
): Promise<void> {
  const dialog = dialogFor(await readDropped(host, sources));
  if (dialog !== null && takesDrops(workspace.getState())) workspace.setState({ dialog });
}
