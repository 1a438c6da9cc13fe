import { expect, it } from 'vitest';
import type { JsonObject } from '../../text/json';
import { aidOf, isColour, nowAs } from './aid';

it('aidOf looks at the encoding before the format', () => {
  expect(aidOf({ format: 'date' })).toBe('date');
  expect(aidOf({ format: 'color' })).toBe('color');
  expect(aidOf({ format: 'binary' })).toBe('base64');
  expect(aidOf({ format: 'date', contentEncoding: 'base64' })).toBe('base64');
  const others: JsonObject[] = [
    {},
    { format: 'email' },
    { format: null },
    { contentEncoding: 'quoted-printable' },
  ];
  for (const none of others) expect(aidOf(none)).toBeNull();
});

it('nowAs writes what RFC 3339 asks for', () => {
  const now = new Date(2026, 0, 2, 23, 4, 5);
  expect(nowAs('date', now)).toBe('2026-01-02');
  const utc = new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
  expect(nowAs('date-time', utc)).toBe('2026-01-02T03:04:05Z');
  expect(nowAs('time', utc)).toBe('03:04:05Z');
});

it('isColour lets nothing but hexadecimal colours into a style', () => {
  for (const one of ['#abc', '#ABCD', '#1ec8b4', '#1ec8b480']) expect(isColour(one)).toBe(true);
  for (const none of ['red', '#12', '#1ec8b', 'url(//x)', '#abc;}', '']) expect(isColour(none)).toBe(false);
});
