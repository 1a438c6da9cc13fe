import type { FileContent } from '../../../../contract/generated';
import type { Host } from '../../../../host/host';
import { commandError } from '../../../store/errors';
import { formatCount, formatSize } from '../../../text/format';
import { type BundleFile, bundleName, isBundleName } from '../bundles/bundleFile';

/** Something that was dropped on the window, or chosen: a file, a folder, or in the window a path of either. */
export type DropSource =
  { type: 'file'; file: File } | { type: 'folder'; name: string } | { type: 'path'; path: string };

/** A text file, under its path where that is known. */
export interface NamedFile {
  /** Its name, or its path: the folder may say which host it is of. */
  name: string;
  file: File;
}

/** What a dropped file contains. */
export type DroppedContent =
  | { type: 'bundle'; bundle: BundleFile }
  /** A `server.json` of the MCP registry. */
  | { type: 'registry'; text: string }
  /** The configuration of a host; what could not be read of it is in its review. */
  | { type: 'host'; host: string; servers: number; file: NamedFile }
  /** JSON with servers, in a format that can be pasted. */
  | { type: 'servers'; text: string }
  | { type: 'refused'; message: string };

/** Something that was dropped. */
export interface DroppedItem {
  name: string;
  content: DroppedContent;
  /** Whether the user has seen its review. */
  isReviewed: boolean;
}

/** The size of the largest text file that is read, in bytes. The engine holds the same. */
export const LARGEST_TEXT = 16 * 1024 * 1024;

/** How many files are looked at. */
const MOST_ITEMS = 100;

/** How many text files are read at once, and how large they may be together, in bytes. */
const MOST = 20;
const LARGEST_SUM = 32 * 1024 * 1024;

/** What can be dropped, in a sentence. */
export const ACCEPTED =
  'Accepted are MCP bundles (.mcpb), server.json files, and configurations of other hosts in JSON, TOML or YAML.';

/** Finds out what each of these is. Nothing is unpacked, run or added. Never rejects. */
export async function readDropped(host: Host, sources: readonly DropSource[]): Promise<DroppedItem[]> {
  const items: DroppedItem[] = [];
  let [count, sum] = [0, 0];
  for (const source of sources.slice(0, MOST_ITEMS)) {
    const name = nameOf(source);
    const put = (content: DroppedContent): void => void items.push({ name, content, isReviewed: false });
    const refuse = (message: string): void => put({ type: 'refused', message });
    if (source.type !== 'folder' && isBundleName(name)) {
      put({ type: 'bundle', bundle: source });
      continue;
    }
    if (source.type === 'folder') {
      refuse(`${name} is a folder. Drop the files in it instead.`);
      continue;
    }
    count += 1;
    if (count > MOST) {
      refuse(`${name} was not read: ${formatCount(MOST, 'file')} are read at once. Drop it again, alone.`);
      continue;
    }
    try {
      // One after the other, so that no more than one is waited for.
      // oxlint-disable-next-line no-await-in-loop
      const file = await fileOf(host, source);
      if (file.size > LARGEST_TEXT) {
        refuse(
          `${name} has ${formatSize(file.size)}, more than the ${formatSize(LARGEST_TEXT)} that are read. Paste its servers instead.`,
        );
        continue;
      }
      sum += file.size;
      if (sum > LARGEST_SUM) {
        refuse(
          `${name} was not read: together these files have more than ${formatSize(LARGEST_SUM)}. Drop it again, alone.`,
        );
        continue;
      }
      const named = { name: source.type === 'path' ? source.path : name, file };
      // oxlint-disable-next-line no-await-in-loop
      put(await contentOf(host, named, name));
    } catch (thrown) {
      refuse(commandError(thrown).message);
    }
  }
  const left = sources.length - MOST_ITEMS;
  if (left > 0) {
    const message = `Only the first ${formatCount(MOST_ITEMS)} are looked at. Drop fewer at once.`;
    const name = formatCount(left, 'more file');
    items.push({ name, content: { type: 'refused', message }, isReviewed: false });
  }
  return items;
}

/** The text of a file. Rejects with a reason if it is not text. */
export async function textOf({ name, file }: NamedFile): Promise<string> {
  let bytes: ArrayBuffer;
  try {
    bytes = await bytesOf(file);
  } catch {
    throw new Error(`${shortName(name)} could not be read. It may be a folder, or have been moved.`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`${shortName(name)} is not a text file in UTF-8.`);
  }
}

function bytesOf(file: File): Promise<ArrayBuffer> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      if (reader.result instanceof ArrayBuffer) resolve(reader.result);
      else reject(new Error('unreadable'));
    });
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')));
    reader.readAsArrayBuffer(file);
  });
}

async function contentOf(host: Host, named: NamedFile, name: string): Promise<DroppedContent> {
  const text = await textOf(named);
  const { files } = await host.call('file_identify', { files: [{ name: named.name, text }] });
  return contentAs(files[0], named, text, name);
}

function contentAs(
  found: FileContent | undefined,
  file: NamedFile,
  text: string,
  name: string,
): DroppedContent {
  switch (found?.type) {
    case 'host':
      return { type: 'host', host: found.file.place.host, servers: found.file.servers.length, file };
    case 'registry':
      return { type: 'registry', text };
    case 'servers':
      return { type: 'servers', text };
    case 'unknown':
    case undefined:
      return { type: 'refused', message: `${name}: ${found?.reason ?? 'It is not known.'}` };
  }
}

async function fileOf(host: Host, source: Exclude<DropSource, { type: 'folder' }>): Promise<File> {
  if (source.type === 'file') return source.file;
  const file = await host.droppedFile?.(source.path);
  if (file === undefined) throw new Error(`${shortName(source.path)} could not be read.`);
  return file;
}

function nameOf(source: DropSource): string {
  return source.type === 'folder' ? source.name : bundleName(source);
}

function shortName(path: string): string {
  return bundleName({ type: 'path', path });
}

/** What the user dropped in a browser, which knows which of it are folders. To be called during the event. */
export function sourcesOf(dropped: DataTransfer): DropSource[] {
  const sources: DropSource[] = [];
  for (const item of dropped.items) {
    const file = item.kind === 'file' ? item.getAsFile() : null;
    if (file === null) continue;
    const isFolder = item.webkitGetAsEntry()?.isDirectory === true;
    sources.push(isFolder ? { type: 'folder', name: file.name } : { type: 'file', file });
  }
  return sources;
}
