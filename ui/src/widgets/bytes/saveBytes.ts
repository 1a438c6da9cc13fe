/** Hands bytes to the user as a file. */
export function saveBytes(bytes: BlobPart, name: string, mimeType: string): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: mimeType }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun with the click; the address is not needed longer than that.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const EXTENSIONS: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'text/plain': 'txt',
  'text/markdown': 'md',
};

/** The usual ending of a file of this type. */
export function extensionOf(mimeType: string | null): string {
  return EXTENSIONS[(mimeType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''] ?? 'bin';
}

/** A name that every file system takes, from one that came from a server. */
export function fileStem(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '') || 'result';
}
