/** Texts that are longer are not matched in the window. */
const MAX_TEXT = 1_000;
/** A pattern may be matched in this many ways, apart from its repetitions without end. */
const MAX_WAYS = 32;

/**
 * Whether a text matches a pattern of a server, for what has to be known while drawing; undefined if matching could take
 * long. A caller that needs to know in every case asks the checker (checker.ts), which can be stopped.
 */
export function matchesQuickly(pattern: string, text: string): boolean | undefined {
  if (text.length > MAX_TEXT || !isQuick(pattern)) return undefined;
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return undefined;
  }
}

/**
 * Whether a pattern is matched in at most quadratic time: it repeats nothing that contains a repetition or a choice, has
 * one repetition without end (two if it begins at the start of the text), and few choices beside it.
 */
export function isQuick(pattern: string): boolean {
  if (pattern.length > 300) return false;
  // Escapes and classes match one character, so they cannot repeat by themselves.
  const plain = pattern
    .replaceAll(/\\[pPu]\{[^}]{0,60}\}|\\[^\d]/gu, 'a')
    .replaceAll(/\[[^\]]*(?:\]|$)/g, 'a');
  if (plain.includes('\\') || /\(\?[<=!]/.test(plain)) return false;
  const repetitions = plain.match(/[*+]|\{\d+,\d*\}|\{\d{2,}\}/g)?.length ?? 0;
  if (repetitions > (plain.startsWith('^') && !plain.includes('|') ? 2 : 1)) return false;
  if (waysOf(plain) > MAX_WAYS) return false;
  // A group that is repeated, with a repetition or a choice in it.
  return !/\([^()]*[*+{?|][^()]*\)[*+{]/.test(plain) && !/\)[^()]*\)[*+{]/.test(plain);
}

/** In how many ways a pattern without escapes and classes can be matched at most: its alternatives and optional parts. */
function waysOf(plain: string): number {
  let ways = 1;
  const alternatives: number[] = [];
  for (const character of `${plain.replaceAll('(?:', '(')})`) {
    if (character === '(') alternatives.push(1);
    else if (character === '|') alternatives.push((alternatives.pop() ?? 1) + 1);
    else if (character === ')') ways *= alternatives.pop() ?? 1;
    else if (character === '?') ways *= 2;
  }
  return ways;
}
