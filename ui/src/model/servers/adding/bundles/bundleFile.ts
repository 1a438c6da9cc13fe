import type { BundleId, BundleReview } from '../../../../contract/generated';
import { CommandFailure, type Host } from '../../../../host/host';
import { base64Of } from '../../../text/base64';
import { formatSize } from '../../../text/format';

/** A bundle that was chosen: its bytes, or in the window the path of a file that was dropped. */
export type BundleFile = { type: 'file'; file: File } | { type: 'path'; path: string };

/** The endings of bundles, for a file picker. */
export const BUNDLE_ENDINGS = '.mcpb,.dxt';

/** The size of the largest bundle, in bytes. The engine holds the same. */
const LARGEST = 512 * 1024 * 1024;

/** How many bytes are sent at once; a multiple of three, so that their base64 has no padding. */
const PART = 3 * 1024 * 1024;

/** Whether a file is a bundle, by its name. */
export function isBundleName(name: string): boolean {
  return /\.(mcpb|dxt)$/i.test(name);
}

/** The name of the file, without its folder. */
export function bundleName(bundle: BundleFile): string {
  if (bundle.type === 'file') return bundle.file.name;
  const { path } = bundle;
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/**
 * Has the engine read a bundle, which nothing of is run or unpacked. `onProgress` gets the part that was sent, 0 to 1. Rejects with a
 * `CommandFailure`; once `signal` is aborted, with its reason.
 */
export async function openBundle(
  host: Host,
  bundle: BundleFile,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<BundleReview> {
  if (bundle.type === 'path') {
    return host.call('bundle_open', { source: { type: 'path', path: bundle.path } });
  }
  const bundleId = await send(host, bundle.file, onProgress, signal);
  return host.call('bundle_open', { source: { type: 'upload', bundleId } });
}

async function send(
  host: Host,
  file: File,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<BundleId> {
  if (file.size > LARGEST) {
    throw refused(
      `Reading the bundle failed: ${file.name} has ${formatSize(file.size)}, more than the ${formatSize(LARGEST)} that a bundle may have. Unpack it yourself, and add its server as a command.`,
    );
  }
  let bundleId: BundleId | null = null;
  try {
    for (let at = 0; at === 0 || at < file.size; at += PART) {
      // Each part follows the one before.
      // oxlint-disable-next-line no-await-in-loop
      const data = await partOf(file, at);
      // oxlint-disable-next-line no-await-in-loop
      ({ bundleId } = await host.call('bundle_upload', { bundleId, data }));
      signal.throwIfAborted();
      onProgress(Math.min(1, (at + PART) / file.size));
    }
  } catch (thrown) {
    // What was sent is not kept.
    if (bundleId !== null) void host.call('bundle_close', { bundleId }).catch(() => {});
    throw thrown;
  }
  if (bundleId === null) throw refused('Reading the bundle failed: nothing was read. Choose it again.');
  return bundleId;
}

/** The bytes from `at` on, in base64. */
async function partOf(file: File, at: number): Promise<string> {
  try {
    return await base64Of(file.slice(at, at + PART));
  } catch {
    throw refused(
      `Reading the bundle failed: ${file.name} cannot be read. It may be a folder, or have been moved. Choose it again.`,
    );
  }
}

function refused(message: string): CommandFailure {
  return new CommandFailure({ code: 'invalidParams', message, detail: null });
}
