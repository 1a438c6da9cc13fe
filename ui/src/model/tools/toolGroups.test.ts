import { describe, expect, it } from 'vitest';
import type { ToolItem } from '../../contract/generated';
import { toolLines } from './toolGroups';
import type { ToolRow } from './tools';
import { aTool } from './tools.fixture';

const rowsOf = (names: readonly string[], hints: readonly Partial<ToolItem['hints']>[] = []): ToolRow[] =>
  names.map((name, index) => {
    const item = aTool(index, name);
    return { item: { ...item, hints: { ...item.hints, ...hints[index] } }, text: name };
  });

/** The lines as words: `> tab (2)` is an open heading, `+ tab (2)` a closed one. */
const inWords = (...args: Parameters<typeof toolLines>): string[] =>
  toolLines(...args).map((line) =>
    line.type === 'folder'
      ? `${line.isOpen ? '>' : '+'} ${line.label} (${line.count})`
      : `${' '.repeat(line.depth)}${line.row.item.name}`,
  );

describe('tools by name', () => {
  it('have the first word in common, however it is written', () => {
    expect(
      inWords(rowsOf(['get_issue', 'list-issues', 'getUser', 'list.users', 'ping']), 'name', []),
    ).toEqual([
      '> get (2)',
      ' get_issue',
      ' getUser',
      '> list (2)',
      ' list-issues',
      ' list.users',
      '> Other (1)',
      ' ping',
    ]);
  });

  it('have a word in common after those with which all begin', () => {
    const rows = rowsOf(['browser_click', 'browser_tab_new', 'browser_tab_close', 'browser_resize']);
    expect(inWords(rows, 'name', [])).toEqual([
      '> browser_tab (2)',
      ' browser_tab_new',
      ' browser_tab_close',
      '> Other (2)',
      ' browser_click',
      ' browser_resize',
    ]);
  });

  it('are a plain list where nothing is in common', () => {
    expect(inWords(rowsOf(['echo', 'add', '']), 'name', [])).toEqual(['echo', 'add', '']);
    expect(inWords(rowsOf(['echo']), 'name', [])).toEqual(['echo']);
    expect(inWords([], 'name', [])).toEqual([]);
  });

  it('are in the group that is named like that of the others, if there is one', () => {
    expect(inWords(rowsOf(['Other_a', 'Other_b', 'x']), 'name', [])).toEqual([
      '> Other (3)',
      ' Other_a',
      ' Other_b',
      ' x',
    ]);
  });
});

it('tools by effect are grouped by what their server says, and closed groups hide theirs', () => {
  const rows = rowsOf(
    ['a', 'b', 'c', 'd'],
    [
      { readOnly: null, destructive: null },
      { readOnly: false, destructive: true },
      { readOnly: true, destructive: true },
      { readOnly: null, destructive: false },
    ],
  );
  expect(inWords(rows, 'effect', ['effect Destructive'])).toEqual([
    '> Read-only (1)',
    ' c',
    '> Not destructive (1)',
    ' d',
    '+ Destructive (1)',
    '> Not declared (1)',
    ' a',
  ]);
  expect(inWords(rows, 'none', ['effect Destructive'])).toEqual(['a', 'b', 'c', 'd']);
});
