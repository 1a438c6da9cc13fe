import { ownOf } from '../../model/store/ownOf';
/** Downloads bytes as a file. */
export function saveBytes(bytes: BlobPart, name: string, mimeType: string): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: mimeType }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The click has started the download; the URL is no longer needed.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const EXTENSIONS: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/tab-separated-values': 'tsv',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'text/plain': 'txt',
  'text/markdown': 'md',
};

/** The usual file extension of a MIME type. */
export function extensionOf(mimeType: string | null): string {
  const type = (mimeType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return ownOf(EXTENSIONS, type) ?? 'bin';
}

/** A server's name made safe for every file system. */
export function fileStem(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '') || 'result';
}

/** The name of a file for a resource: the last segment of its URI, with an extension. */
export function resourceFileName(uri: string, mimeType: string | null): string {
  const last = uri
    .replace(/[?#].*$/s, '')
    .split('/')
    .findLast((segment) => segment !== '');
  const stem = fileStem(last ?? '').slice(-100);
  return /\.[A-Za-z0-9]{1,8}$/.test(stem) ? stem : `${stem}.${extensionOf(mimeType)}`;
}
