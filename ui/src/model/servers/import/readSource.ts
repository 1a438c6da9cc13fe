import type { HostFindResponse } from '../../../contract/generated';
import type { Host } from '../../../host/host';
import { textOf } from '../adding/dropped/droppedFiles';
import type { ImportSource } from './hosts';

/** Reads the servers of other hosts, compared with the configured ones. Rejects if nothing can be read. */
export async function readSource(host: Host, source: ImportSource): Promise<HostFindResponse> {
  if (source.type === 'hosts') return host.call('host_find', {});
  if (source.type === 'place') {
    const { files, absent } = await host.call('host_find', {});
    const isIt = (path: string): boolean => path === source.path;
    return {
      files: files.filter(({ place }) => isIt(place.path)),
      absent: absent.filter(({ path }) => isIt(path)),
    };
  }
  const names = new Map<string, number>();
  const texts = await Promise.all(
    source.files.map(async (file) => {
      const { name } = file;
      const count = (names.get(name) ?? 0) + 1;
      names.set(name, count);
      // A file is known by its name.
      return { name: count === 1 ? name : `${name} (${count})`, text: await textOf(file) };
    }),
  );
  const { files } = await host.call('file_identify', { files: texts });
  return { files: files.flatMap((found) => (found.type === 'host' ? [found.file] : [])), absent: [] };
}

/** What the servers are imported from, for a title. */
export function sourceName(source: ImportSource): string {
  if (source.type === 'hosts') return 'other hosts';
  if (source.type === 'place') return source.host;
  const [first] = source.files;
  return source.files.length === 1 && first !== undefined ? first.file.name : `${source.files.length} files`;
}
