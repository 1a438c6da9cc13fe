/**
 * A Markdown text that is still arriving, in blocks: all but the last are complete and do not change any more, so that only
 * the last is drawn again. Blocks end at blank lines outside of code.
 */
export function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let fence: string | null = null;
  let begin = 0;
  let at = 0;
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
  if (begin < text.length) blocks.push(text.slice(begin));
  return blocks;
}
