import { describe, expect, it } from 'vitest';
import { keepSame } from './keepSame';

describe('keepSame', () => {
  it('keeps the whole when nothing changed', () => {
    const old = { a: 1, b: [{ c: null }], d: { e: 'x' } };
    expect(keepSame(old, structuredClone(old))).toBe(old);
  });

  it('keeps the parts that did not change, and nothing that is gone', () => {
    const old = { draft: { name: 'a', args: ['x'] }, counts: { problems: 1, gone: true } };
    const fresh: Partial<typeof old> = {
      draft: { name: 'a', args: ['x'] },
      counts: { problems: 2 } as never,
    };
    const kept = keepSame<Partial<typeof old>>(old, fresh);
    expect(kept).toEqual(fresh);
    expect(kept.draft).toBe(old.draft);
    expect(kept.counts).not.toBe(old.counts);
  });

  it('tells lists, objects, nothing and missing members apart', () => {
    expect(keepSame<unknown>([1], [1, 2])).toEqual([1, 2]);
    expect(keepSame<unknown>([], {})).toEqual({});
    expect(keepSame<unknown>({ a: undefined }, { b: undefined })).toEqual({ b: undefined });
    expect(keepSame<unknown>({ a: {} }, { a: null })).toEqual({ a: null });
    expect(keepSame<unknown>(undefined, { a: 1 })).toEqual({ a: 1 });
  });
});
