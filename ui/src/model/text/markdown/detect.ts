/** Only the beginning of a text decides, in characters. */
const LOOKED_AT = 20_000;
/** The longest text of a link that is looked for, in characters. */
const MAX_LINK_TEXT = 300;

/** Whether a text contains Markdown syntax. Takes time in proportion to the text. */
export function looksLikeMarkdown(text: string): boolean {
  const start = text.slice(0, LOOKED_AT);
  return hasBlocks(start) || hasStrong(start) || hasLink(start);
}

/** Headings, fences, tables, and lists of at least two items. */
function hasBlocks(text: string): boolean {
  let before = '';
  for (const line of text.split('\n')) {
    if (line.startsWith('```') || /^#{1,6} \S/.test(line)) return true;
    if (isBullet(line) && isBullet(before)) return true;
    if (isNumbered(line) && isNumbered(before)) return true;
    if (/^\|[\s:|-]+\|/.test(line) && /^\|.+\|/.test(before)) return true;
    if (line.trim() !== '') before = line;
  }
  return false;
}

function isBullet(line: string): boolean {
  return /^\s*[-*] \S/.test(line);
}

function isNumbered(line: string): boolean {
  return /^\d+\. \S/.test(line);
}

/** `**words**` */
function hasStrong(text: string): boolean {
  for (let at = text.indexOf('**'); at >= 0;) {
    const next = text.indexOf('*', at + 3);
    if (next < 0) return false;
    const isOpen = /[^\s*]/.test(text.charAt(at + 2));
    if (isOpen && text.charAt(next + 1) === '*') return true;
    at = text.indexOf('**', Math.max(next, at + 2));
  }
  return false;
}

/** `[words](https:…)` */
function hasLink(text: string): boolean {
  for (let at = text.indexOf('](http'); at >= 0; at = text.indexOf('](http', at + 1)) {
    if (/\[[^[\]]+$/.test(text.slice(Math.max(0, at - MAX_LINK_TEXT), at))) return true;
  }
  return false;
}
