import { expect, test } from 'vitest';
import { pathOf, rootsAnswer, rootsOf } from './rootsAnswer';

test('roots are read from an answer and written back', () => {
  const roots = [
    { uri: 'file:///srv/a%20b', name: 'A' },
    { uri: 'file:///srv/c', name: '' },
  ];
  expect(rootsOf(rootsAnswer(roots))).toEqual(roots);
  expect(rootsOf('{"roots":[]}')).toEqual([]);
});

test('fields do not touch what they cannot show', () => {
  for (const text of [
    '',
    '{',
    '[]',
    '{"roots":{}}',
    '{"roots":[7]}',
    '{"roots":[{"uri":7}]}',
    '{"roots":[{"uri":"file:///a","_meta":{}}]}',
    '{"roots":[],"_meta":{}}',
  ]) {
    expect(rootsOf(text), text).toBeNull();
  }
});

test('a URI becomes the path it is made of, on every system', () => {
  expect(pathOf('file:///srv/a%20b/%C3%BC')).toBe('/srv/a b/ü');
  expect(pathOf('file:///C:/data/a%20b')).toBe('C:\\data\\a b');
  expect(pathOf('file://host/share')).toBe('file://host/share');
  expect(pathOf('https://a.example/')).toBe('https://a.example/');
  expect(pathOf('file:///%E0%A4%A')).toBe('file:///%E0%A4%A');
  expect(pathOf('no uri')).toBe('no uri');
});
