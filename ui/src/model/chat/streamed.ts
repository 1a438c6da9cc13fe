/** A Markdown text that is still arriving, in blocks, so that only the last is drawn again. Blocks end at blank lines outside of code. */
export interface Streamed {
  text: string;
  /** The blocks that do not change any more. */
  complete: readonly string[];
  /** Where the last block begins, which still changes. */
  begin: number;
}

export const NO_TEXT: Streamed = { text: '', complete: [], begin: 0 };

/** The blocks of a text that has grown: only what is new is looked at. */
export function grown(before: Streamed, text: string): Streamed {
  const { complete, begin } = text.startsWith(before.text) ? before : NO_TEXT;
  const found = scan(text, begin);
  const all = found.blocks.length === 0 ? complete : [...complete, ...found.blocks];
  return { text, complete: all, begin: found.begin };
}

/** The complete blocks from a beginning of one on, and where the next begins. */
function scan(text: string, from: number): { blocks: string[]; begin: number } {
  const blocks: string[] = [];
  let fence: string | null = null;
  let begin = from;
  let at = from;
  while (at < text.length) {
    const end = text.indexOf('\n', at);
    const stop = end === -1 ? text.length : end;
    const line = text.slice(at, stop);
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === null) fence = mark;
      else if (mark[0] === fence[0] && mark.length >= fence.length) fence = null;
    } else if (fence === null && end !== -1 && line.trim() === '') {
      if (text.slice(begin, at).trim() !== '') blocks.push(text.slice(begin, at));
      begin = stop + 1;
    }
    at = stop + 1;
  }
  return { blocks, begin };
}
