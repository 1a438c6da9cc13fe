/** At most this much of a body is shown as hex. */
export const HEX_LIMIT = 65_536;

/** The first 64 KiB as `00000000  48 65 6c …  Hello`. */
export function hexDump(bytes: Uint8Array): string {
  const lines: string[] = [];
  const end = Math.min(bytes.length, HEX_LIMIT);
  for (let at = 0; at < end; at += 16) {
    const row = bytes.subarray(at, Math.min(at + 16, end));
    const hex = Array.from(row, (byte) => byte.toString(16).padStart(2, '0'));
    const left = hex.slice(0, 8).join(' ').padEnd(23);
    const right = hex.slice(8).join(' ').padEnd(23);
    const text = Array.from(row, (byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.',
    ).join('');
    lines.push(`${at.toString(16).padStart(8, '0')}  ${left}  ${right}  ${text}`);
  }
  return lines.join('\n');
}
