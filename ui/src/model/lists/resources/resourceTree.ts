import type { ResourceItem } from '../../../contract/generated';
import type { ListRow } from '../serverList';

/** The folders that the URIs of resources form: scheme, authority, then one per path segment. */

export type ResourceRow = ListRow<ResourceItem>;

export interface ResourceFolder {
  /** Unique in the tree: the labels from the root, so that it survives a changed list. */
  key: string;
  label: string;
  folders: Map<string, ResourceFolder>;
  resources: { label: string; row: ResourceRow }[];
  /** How many resources it contains at any depth. */
  count: number;
}

/** A visible line of the tree. */
export type TreeRow =
  | { type: 'folder'; key: string; label: string; depth: number; count: number; isOpen: boolean }
  | { type: 'resource'; label: string; depth: number; row: ResourceRow };

/** Segments beyond this depth stay in the label of the resource: a hostile URI may have thousands. */
const MAX_DEPTH = 24;

const URI = /^([a-z][a-z0-9+.-]*:)(\/\/[^/?#]*)?([^?#]*)(.*)$/is;

/** The folders of a URI and the label of the resource in the last one. */
export function placeOf(uri: string): { folders: string[]; label: string } {
  const match = URI.exec(uri);
  if (match === null) return { folders: [], label: uri };
  const [, scheme = '', authority, path = '', tail = ''] = match;
  const isHierarchical = authority !== undefined;
  const start = isHierarchical ? `${scheme}//` : scheme;
  const host = isHierarchical ? authority.slice(2) : '';
  const segments = path.split('/');
  if (segments[0] === '') segments.shift();
  // `a/b/` is the folder b itself: its label ends with the slash.
  if (segments.length > 1 && segments.at(-1) === '') segments.splice(-2, 2, `${segments.at(-2)}/`);
  const folders = [start, ...(host === '' ? [] : [host]), ...segments.slice(0, -1)];
  const last = segments.at(-1) ?? '';
  // `demo://readme` has only an authority.
  if (last === '' && host !== '' && folders.length === 2) folders.pop();
  const label = (last === '' ? host : last) + tail;
  if (folders.length <= MAX_DEPTH) return { folders, label: label === '' ? uri : label };
  return { folders: folders.slice(0, MAX_DEPTH), label: [...folders.slice(MAX_DEPTH), label].join('/') };
}

export function buildTree(rows: readonly ResourceRow[]): ResourceFolder {
  const root = newFolder('', '');
  for (const row of rows) {
    const { folders, label } = placeOf(row.item.uri);
    let folder = root;
    folder.count += 1;
    for (const name of folders) {
      let next = folder.folders.get(name);
      if (next === undefined) {
        next = newFolder(`${folder.key}\n${name}`, name);
        folder.folders.set(name, next);
      }
      next.count += 1;
      folder = next;
    }
    folder.resources.push({ label, row });
  }
  return root;
}

function newFolder(key: string, label: string): ResourceFolder {
  return { key, label, folders: new Map(), resources: [], count: 0 };
}

/** The lines of the tree, folders first, without what is in closed folders. */
export function visibleRows(root: ResourceFolder, closed: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (folder: ResourceFolder, depth: number): void => {
    for (const child of folder.folders.values()) {
      const { key, label, inner } = compact(child);
      const isOpen = !closed.has(key);
      rows.push({ type: 'folder', key, label, depth, count: inner.count, isOpen });
      if (isOpen) add(inner, depth + 1);
    }
    for (const { label, row } of folder.resources) rows.push({ type: 'resource', label, depth, row });
  };
  add(root, 0);
  return rows;
}

/** Folders that contain only one folder are one line: `file://`, `srv`, `me`. */
function compact(folder: ResourceFolder): { key: string; label: string; inner: ResourceFolder } {
  let inner = folder;
  let { label } = folder;
  while (inner.resources.length === 0 && inner.folders.size === 1) {
    const [only] = inner.folders.values();
    if (only === undefined) break;
    label += label.endsWith('/') ? only.label : `/${only.label}`;
    inner = only;
  }
  return { key: inner.key, label, inner };
}

/** The line of the folder that a line is in; -1 at the top. */
export function parentOf(rows: readonly Pick<TreeRow, 'depth'>[], index: number): number {
  const depth = rows[index]?.depth ?? 0;
  for (let at = index - 1; at >= 0; at--) if ((rows[at]?.depth ?? 0) < depth) return at;
  return -1;
}
