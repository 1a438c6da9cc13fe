/** A text is normalized in pieces of this length, in characters. */
const PIECE = 500;

/**
 * A text in a normal form of Unicode, for comparing it. In pieces, because the time for a run of combining marks grows with its
 * square: one that goes over the end of a piece may stay as it is.
 */
export function normalized(text: string, form: 'NFKC' | 'NFKD'): string {
  if (text.length <= PIECE) return text.normalize(form);
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += PIECE) pieces.push(text.slice(at, at + PIECE).normalize(form));
  return pieces.join('');
}
