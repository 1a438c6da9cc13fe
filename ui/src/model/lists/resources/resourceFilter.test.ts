import { expect, it } from 'vitest';
import { NO_FILTER, applyFilter } from './resourceFilter';
import { aResource } from './resources.fixture';

const rows = [
  aResource(0, 'a:b', { audience: ['user'], priority: 0.2, lastModified: '2026-01-01' }),
  aResource(1, 'a:a', { audience: ['assistant'], priority: 1, lastModified: 'yesterday' }),
  aResource(2, 'a:c', { lastModified: '2026-02-01' }),
].map((item) => ({ item, text: item.uri }));

const uris = (change: Partial<typeof NO_FILTER>): string[] =>
  applyFilter(rows, { ...NO_FILTER, ...change }).map(({ item }) => item.uri);

it('passes resources for an audience, and those for everyone', () => {
  expect(uris({ audience: 'user' })).toEqual(['a:b', 'a:c']);
});

it('passes resources of at least a priority', () => {
  expect(uris({ minPriority: 0.5 })).toEqual(['a:a']);
});

it('sorts, with what cannot be compared last', () => {
  expect(uris({ sort: 'name' })).toEqual(['a:a', 'a:b', 'a:c']);
  expect(uris({ sort: 'priority' })).toEqual(['a:a', 'a:b', 'a:c']);
  expect(uris({ sort: 'lastModified' })).toEqual(['a:c', 'a:b', 'a:a']);
  expect(applyFilter(rows, NO_FILTER)).toBe(rows);
});
