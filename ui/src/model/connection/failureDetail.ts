import { plainText } from '../text/terminal';

/**
 * The paragraphs of a failure's detail, without the lines of stderr that are shown elsewhere. What the peer sent is one
 * paragraph; what was tried before is another.
 */
export function detailParagraphs(detail: string | null, stderr: readonly string[]): string[] {
  const shown = new Set(stderr.map((line) => plainText(line).trim()));
  const rest = plainText(detail ?? '')
    .split('\n')
    .filter((line) => line.trim() === '' || !shown.has(line.trim()))
    .join('\n')
    .replace(/\n(?=Tried before: )/, '\n\n');
  return rest
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
