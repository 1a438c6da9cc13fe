import { IconTool } from '@tabler/icons-react';
import { describe, expect, it } from 'vitest';
import { type PaletteEntry, type Results, browse, search, sourceOf } from './search';

function entry(label: string, change: Partial<PaletteEntry> = {}): PaletteEntry {
  return {
    id: label,
    label,
    keywords: '',
    group: 'Tools',
    kind: 'Tool',
    icon: IconTool,
    more: null,
    owner: null,
    shortcut: null,
    focus: null,
    run: () => {},
    ...change,
  };
}

const labels = ({ found }: Results): string[] => found.map((each) => each.entry.label);

describe('search', () => {
  const source = sourceOf([
    entry('read_file', { keywords: 'Filesystem' }),
    entry('read_media_file'),
    entry('list_directory', { keywords: 'Lists the files' }),
    entry('add'),
  ]);

  it('finds entries by some letters of their names, best match first', () => {
    expect(labels(search([source], 'rdfile', [], 10))).toContain('read_file');
    expect(labels(search([source], 'read_file', [], 10))[0]).toBe('read_file');
    expect(labels(search([source], 'nothing like it', [], 10))).toEqual([]);
  });

  it('finds them by keywords, and by words of the name and the keywords together', () => {
    expect(labels(search([source], 'filesystem', [], 10))).toEqual(['read_file']);
    expect(labels(search([source], 'filesystem read', [], 10))).toEqual(['read_file']);
  });

  it('puts a recent entry before one that matches as well', () => {
    const twins = [sourceOf([entry('open a'), entry('open b')])];
    expect(labels(search(twins, 'open', [], 10))).toEqual(['open a', 'open b']);
    expect(labels(search(twins, 'open', ['open b'], 10))).toEqual(['open b', 'open a']);
  });

  it('shows the best of all sources and counts the rest', () => {
    const many = sourceOf(Array.from({ length: 10_000 }, (_, n) => entry(`tool_${n}`)));
    const results = search([many, sourceOf([entry('tool')])], 'tool', [], 60);
    expect(results.found).toHaveLength(60);
    expect(results.total).toBe(10_001);
    expect(labels(results)[0]).toBe('tool');
  });

  it('shows the whole label of an entry that is found by its keywords', () => {
    const [first] = search([source], 'filesystem', [], 10).found;
    expect(first?.label.map(({ text }) => text).join('')).toBe('read_file');
  });

  it('marks the letters that match', () => {
    const [first] = search([source], 'media', [], 10).found;
    expect(first?.label).toEqual([
      { text: 'read_', isMatch: false },
      { text: 'media', isMatch: true },
      { text: '_file', isMatch: false },
    ]);
  });

  it('takes what is typed literally, whatever it is', () => {
    for (const query of ['[', '\\', '(a+)+$', '__proto__', ' ', '😀', 'a'.repeat(5_000)]) {
      expect(search([source], query, [], 10).found.length).toBeLessThanOrEqual(4);
    }
  });
});

describe('browse', () => {
  const sources = [sourceOf([entry('a'), entry('b')]), sourceOf([entry('c'), entry('d')])];

  it('shows the recent entries first, newest first, and each entry once', () => {
    expect(labels(browse(sources, ['d', 'gone', 'a'], 10))).toEqual(['d', 'a', 'b', 'c']);
    expect(browse(sources, ['d', 'gone', 'a'], 10).recent).toBe(2);
  });

  it('shows no more than the limit and counts all', () => {
    expect(browse(sources, [], 3)).toMatchObject({ total: 4, recent: 0 });
    expect(labels(browse(sources, ['d'], 2))).toEqual(['d', 'a']);
  });
});
