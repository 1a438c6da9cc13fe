import { expect, it } from 'vitest';
import { connection, server } from '../servers.fixture';
import { dropOf, groupNameProblem, peersOf, railRows } from './railRows';

const of = (name: string, ...groups: string[]) => {
  const item = server(name, connection({}));
  return groups.length === 0 ? item : { ...item, draft: { ...item.draft, groups } };
};
const ITEMS = [of('a'), of('b', 'Work'), of('c', 'Work', 'Demo'), of('d', 'Demo'), of('e')];
const GROUPS = ['Work', 'Empty', 'Demo'];
const rows = railRows(ITEMS, GROUPS, []);
const at = (key: string): number => rows.findIndex((row) => row.key === key);
const drop = (from: string, to: string) => dropOf(rows, ITEMS, GROUPS, { from: at(from), to: at(to) });

it('servers without a group come first, then each group with its own; a collapsed one shows none', () => {
  expect(rows.map(({ key }) => key)).toEqual([
    'a',
    'e',
    'group Work',
    'b Work',
    'c Work',
    'group Empty',
    'group Demo',
    'c Demo',
    'd Demo',
  ]);
  expect(railRows(ITEMS, GROUPS, ['Work', 'gone']).map(({ key }) => key)).not.toContain('b Work');
  // A server that names a group which is not listed is not lost.
  expect(railRows([of('x', 'unlisted')], [], [])).toHaveLength(1);
});

it('a server is dropped into a group, into another, and out of it', () => {
  expect(drop('a', 'group Work')).toMatchObject({ groups: ['Work'], order: null });
  expect(drop('a', 'c Work')).toMatchObject({ groups: ['Work'], order: ['b', 'c', 'a', 'd', 'e'] });
  expect(drop('a', 'group Empty')).toMatchObject({ groups: ['Empty'], order: null });
  expect(drop('b Work', 'd Demo')).toMatchObject({ groups: ['Demo'], order: ['a', 'c', 'd', 'b', 'e'] });
  // It is in that group already.
  expect(drop('c Work', 'd Demo')).toMatchObject({ groups: ['Demo'] });
  expect(drop('d Demo', 'e')).toMatchObject({ groups: [], order: null });
  expect(drop('b Work', 'group Work')).toMatchObject({ groups: [] });
});

it('a server moves within its group, and a group among the groups', () => {
  expect(drop('b Work', 'c Work')).toMatchObject({ groups: null, order: ['a', 'c', 'b', 'd', 'e'] });
  expect(drop('e', 'a')).toMatchObject({ groups: null, order: ['e', 'a', 'b', 'c', 'd'] });
  expect(drop('group Demo', 'group Work')).toEqual({ type: 'groups', groups: ['Demo', 'Work', 'Empty'] });
  expect(drop('group Work', 'd Demo')).toEqual({ type: 'groups', groups: ['Empty', 'Demo', 'Work'] });
  expect(drop('group Work', 'c Work')).toBeNull();
  expect(drop('a', 'a')).toBeNull();
});

it('a server is listed with those that it shares a group with', () => {
  const names = (id: string) => peersOf(ITEMS, id as never).map(({ draft }) => draft.name);
  expect(names('a')).toEqual(['a', 'e']);
  expect(names('c')).toEqual(['b', 'c', 'd']);
});

it('a name that no group can have is said before it is sent', () => {
  expect(groupNameProblem('  ', [])).toBe('Enter a name.');
  expect(groupNameProblem('x'.repeat(101), [])).toBe('At most 100 characters.');
  expect(groupNameProblem('WORK ', ['Work'])).toBe('Another group has this name.');
  expect(groupNameProblem('عمل', ['Work'])).toBeNull();
});
