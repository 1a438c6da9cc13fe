/** What changed between two texts, line by line. */

export interface DiffLine {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

export interface LineDiff {
  /** Changed lines with `CONTEXT` lines around them; null where unchanged lines are left out. */
  lines: (DiffLine | null)[];
  added: number;
  removed: number;
}

/** How many unchanged lines are shown around a change. */
const CONTEXT = 3;
/** Beyond this many comparisons, everything between the first and the last change counts as changed. */
const MAX_COMPARISONS = 4_000_000;

export function diffLines(before: string, after: string): LineDiff {
  const a = before.split('\n');
  const b = after.split('\n');
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end])
    end += 1;
  const middle = diffMiddle(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const same = (text: string): DiffLine => ({ kind: 'same', text });
  const all = [...a.slice(0, start).map(same), ...middle, ...a.slice(a.length - end).map(same)];
  return {
    lines: withContext(all),
    added: middle.filter(({ kind }) => kind === 'added').length,
    removed: middle.filter(({ kind }) => kind === 'removed').length,
  };
}

/** By the longest common subsequence. */
function diffMiddle(a: string[], b: string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: 'removed', text });
  const added = (text: string): DiffLine => ({ kind: 'added', text });
  const width = b.length + 1;
  if (a.length * b.length > MAX_COMPARISONS) return [...a.map(removed), ...b.map(added)];
  const longest = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const left = a[i];
    const right = b[j];
    if (left !== undefined && left === right) {
      lines.push({ kind: 'same', text: left });
      i += 1;
      j += 1;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(left));
      i += 1;
    } else if (right !== undefined) {
      lines.push(added(right));
      j += 1;
    }
  }
  return lines;
}

function withContext(all: DiffLine[]): (DiffLine | null)[] {
  const isNear = new Uint8Array(all.length);
  all.forEach(({ kind }, i) => {
    if (kind !== 'same') isNear.fill(1, Math.max(0, i - CONTEXT), i + CONTEXT + 1);
  });
  const lines: (DiffLine | null)[] = [];
  all.forEach((line, i) => {
    if (isNear[i] === 1) lines.push(line);
    else if (lines.length === 0 || lines.at(-1) !== null) lines.push(null);
  });
  return lines;
}
