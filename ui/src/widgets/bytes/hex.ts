/** How many bytes a row has. */
export const HEX_ROW = 16;

/** One row of a hex dump: `00000000  48 65 6c …  Hello`. */
export function hexRow(bytes: Uint8Array, index: number): string {
  const at = index * HEX_ROW;
  const row = bytes.subarray(at, at + HEX_ROW);
  const hex = Array.from(row, (byte) => byte.toString(16).padStart(2, '0'));
  const left = hex.slice(0, 8).join(' ').padEnd(23);
  const right = hex.slice(8).join(' ').padEnd(23);
  const text = Array.from(row, (byte) =>
    byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.',
  ).join('');
  return `${at.toString(16).padStart(8, '0')}  ${left}  ${right}  ${text}`;
}
