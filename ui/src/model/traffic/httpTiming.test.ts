import { describe, expect, it } from 'vitest';
import type { HttpTimingItem } from '../../contract/generated';
import { barOf, endOf, waterfallOf } from './httpTiming';

const timing = (part: Partial<HttpTimingItem> = {}): HttpTimingItem => ({
  dnsMs: 1,
  connectMs: 2,
  tlsMs: 3,
  firstByteMs: 4,
  reused: false,
  remote: null,
  proxy: null,
  tls: null,
  ...part,
});
const names = (waterfall: ReturnType<typeof waterfallOf>) =>
  waterfall?.parts.map(({ name, startMs, lengthMs }) => [name, startMs, lengthMs]);

describe('waterfallOf', () => {
  it('puts the parts one after the other', () => {
    const waterfall = waterfallOf(timing(), 15, 15);
    expect(names(waterfall)).toEqual([
      ['DNS', 0, 1],
      ['Connect', 1, 2],
      ['TLS', 3, 3],
      ['Waiting', 6, 4],
      ['Download', 10, 5],
    ]);
    expect(waterfall?.totalMs).toBe(15);
  });

  it('leaves out what was not needed', () => {
    const reused = timing({ dnsMs: null, connectMs: null, tlsMs: null, reused: true });
    expect(names(waterfallOf(reused, 9, 9))).toEqual([
      ['Waiting', 0, 4],
      ['Download', 4, 5],
    ]);
  });

  it('extends what has not ended to the present', () => {
    expect(names(waterfallOf(timing({ firstByteMs: null }), null, 100))?.at(-1)).toEqual(['Waiting', 6, 94]);
    const stream = waterfallOf(timing(), null, 100);
    expect(stream?.parts.at(-1)).toMatchObject({ name: 'Download', isOpen: true, lengthMs: 90 });
  });

  it('has no wait where it failed before, and none at all without a connection', () => {
    expect(names(waterfallOf(timing({ tlsMs: null, firstByteMs: null }), 3, 3))).toEqual([
      ['DNS', 0, 1],
      ['Connect', 1, 2],
    ]);
    expect(waterfallOf(null, 3, 3)).toBeNull();
  });
});

it('finds the end among the stages', () => {
  const stage = (name: string, afterMs: number) => ({ stage: name, afterMs, text: '' });
  expect(endOf({ stages: [stage('head', 1)] })).toBeNull();
  expect(endOf({ stages: [stage('head', 1), stage('aborted', 5)] })).toBe(5);
});

it('draws every part so that it can be seen, and none beyond the end', () => {
  const at = (startMs: number, lengthMs: number) => ({ name: '', startMs, lengthMs, isOpen: false });
  expect(barOf(at(0, 50), 100)).toEqual({ left: 0, width: 50 });
  expect(barOf(at(100, 0), 100)).toEqual({ left: 99.5, width: 0.5 });
  expect(barOf(at(0, 0), 0)).toEqual({ left: 0, width: 100 });
});
