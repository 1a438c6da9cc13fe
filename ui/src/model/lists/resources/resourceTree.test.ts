import { describe, expect, it } from 'vitest';
import { aResource } from './resources.fixture';
import { buildTree, parentOf, placeOf, visibleRows } from './resourceTree';

const rowsOf = (...uris: string[]) => uris.map((uri, i) => ({ item: aResource(i, uri), text: uri }));
const linesOf = (uris: string[], closed: string[] = []): string[] =>
  visibleRows(buildTree(rowsOf(...uris)), new Set(closed)).map(
    (row) => '  '.repeat(row.depth) + (row.type === 'folder' ? `${row.label} (${row.count})` : row.label),
  );

describe('placeOf', () => {
  it.each([
    ['file:///srv/me/a.txt', ['file://', 'srv', 'me'], 'a.txt'],
    ['demo://readme', ['demo://'], 'readme'],
    ['demo://readme?v=1', ['demo://'], 'readme?v=1'],
    ['https://host/a/b?x=1/2#c/d', ['https://', 'host', 'a'], 'b?x=1/2#c/d'],
    ['https://host/a/', ['https://', 'host'], 'a/'],
    ['urn:isbn:123', ['urn:'], 'isbn:123'],
    ['no scheme', [], 'no scheme'],
    ['', [], ''],
    ['x:', ['x:'], 'x:'],
  ])('%s', (uri, folders, label) => {
    expect(placeOf(uri)).toEqual({ folders, label });
  });

  it('does not grow as deep as the URI wants', () => {
    const { folders, label } = placeOf(`x://h/${'a/'.repeat(5000)}end`);
    expect(folders).toHaveLength(24);
    expect(label.endsWith('a/end')).toBe(true);
  });
});

describe('visibleRows', () => {
  it('nests by path and joins folders that contain only one folder', () => {
    expect(linesOf(['file:///a/b/1', 'file:///a/b/c/2', 'demo://x'])).toEqual([
      'file://a/b (2)',
      '  c (1)',
      '    2',
      '  1',
      'demo:// (1)',
      '  x',
    ]);
  });

  it('hides what is in a closed folder', () => {
    const uris = ['demo://a', 'x://h/b'];
    const key = buildTree(rowsOf(...uris)).folders.get('demo://')?.key ?? '';
    expect(linesOf(uris, [key])).toEqual(['demo:// (1)', 'x://h (1)', '  b']);
  });

  it('keeps resources with the same URI apart', () => {
    expect(linesOf(['demo://a', 'demo://a'])).toEqual(['demo:// (2)', '  a', '  a']);
  });

  it('knows the folder of a line', () => {
    const rows = visibleRows(buildTree(rowsOf('file:///a/1', 'file:///a/c/2')), new Set());
    expect(rows.map((_, i) => parentOf(rows, i))).toEqual([-1, 0, 1, 0]);
  });
});
