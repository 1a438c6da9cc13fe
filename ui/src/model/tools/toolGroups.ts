import type { ToolItem } from '../../contract/generated';
import type { ToolGrouping } from '../workspace/uiState';
import type { ToolRow } from './tools';

/** The tools of a server under headings. */

/** A line of the list: a heading, which is a folder to the keys, or a tool. */
export type ToolLine =
  | { type: 'folder'; key: string; label: string; depth: 0; count: number; isOpen: boolean }
  | { type: 'tool'; depth: 0 | 1; row: ToolRow };

/** The lines of a list, in the order of the server within each group; without the tools of closed groups. */
export function toolLines(
  rows: readonly ToolRow[],
  grouping: ToolGrouping,
  closed: readonly string[],
): ToolLine[] {
  const groups = groupsOf(rows, grouping);
  if (groups === null) return rows.map((row) => ({ type: 'tool', depth: 0, row }));
  return [...groups].flatMap(([label, members]): ToolLine[] => {
    const key = `${grouping} ${label}`;
    const isOpen = !closed.includes(key);
    const heading: ToolLine = { type: 'folder', key, label, depth: 0, count: members.length, isOpen };
    return isOpen
      ? [heading, ...members.map((row): ToolLine => ({ type: 'tool', depth: 1, row }))]
      : [heading];
  });
}

/** The tools by their headings; null if there are none. */
function groupsOf(rows: readonly ToolRow[], grouping: ToolGrouping): Map<string, ToolRow[]> | null {
  switch (grouping) {
    case 'none':
      return null;
    case 'name':
      return byName(rows);
    case 'effect':
      return byEffect(rows);
  }
}

const EFFECTS = ['Read-only', 'Not destructive', 'Destructive', 'Not declared'] as const;

/** What a tool does to its environment, as far as its server says. */
function effectOf({ hints }: ToolItem): (typeof EFFECTS)[number] {
  if (hints.readOnly === true) return 'Read-only';
  if (hints.destructive === null) return 'Not declared';
  return hints.destructive ? 'Destructive' : 'Not destructive';
}

function byEffect(rows: readonly ToolRow[]): Map<string, ToolRow[]> {
  const groups = new Map<string, ToolRow[]>(EFFECTS.map((effect) => [effect, []]));
  for (const row of rows) groups.get(effectOf(row.item))?.push(row);
  return new Map([...groups].filter(([, members]) => members.length > 0));
}

/** The heading of what has no group. */
const OTHER = 'Other';

/** Only the beginning of a name is looked at, in characters: names may have thousands. */
const LOOKED_AT = 200;

/** A word of a name: `get_issue`, `get-issue`, `get.issue` and `getIssue` have two. */
const WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\p{Lu}_\-./:\s]+/gu;

/** A word of a name, and where it ends in the name. */
interface Word {
  text: string;
  end: number;
}

function wordsOf({ name }: ToolItem): Word[] {
  return [...name.slice(0, LOOKED_AT).matchAll(WORD)].map(({ 0: word, index }) => ({
    text: word.toLowerCase(),
    end: index + word.length,
  }));
}

/**
 * The tools whose names have the first word in common, or the first after the words with which all names begin. What is alone
 * comes last; null if nothing has a word in common.
 */
function byName(rows: readonly ToolRow[]): Map<string, ToolRow[]> | null {
  const named = rows.map((row) => ({ row, words: wordsOf(row.item) }));
  const at = sharedWords(named.map(({ words }) => words));
  const groups = new Map<string, { label: string; members: ToolRow[] }>();
  for (const { row, words } of named) {
    const word = words[at];
    if (word === undefined) continue;
    const known = groups.get(word.text);
    if (known === undefined)
      groups.set(word.text, { label: row.item.name.slice(0, word.end), members: [row] });
    else known.members.push(row);
  }
  const shown = [...groups.values()].filter(({ members }) => members.length > 1);
  if (shown.length === 0) return null;
  const grouped = new Set(shown.flatMap(({ members }) => members));
  const others = rows.filter((row) => !grouped.has(row));
  const result = new Map(shown.map(({ label, members }) => [label, members]));
  if (others.length > 0) result.set(OTHER, [...(result.get(OTHER) ?? []), ...others]);
  return result;
}

/** How many words at their beginning all names share, each having more. */
function sharedWords(names: readonly (readonly Word[])[]): number {
  const [first = []] = names;
  if (names.length < 2) return 0;
  let shared = 0;
  while (
    first[shared + 1] !== undefined &&
    names.every((words) => words[shared + 1] !== undefined && words[shared]?.text === first[shared]?.text)
  )
    shared += 1;
  return shared;
}
