import { describe, expect, it } from 'vitest';
import { keyTarget, placeRows, shiftedTop, topFor } from './rowPlaces';

describe('placeRows', () => {
  it('draws what is visible and a margin', () => {
    const place = placeRows({ count: 1000, rowHeight: 24, height: 240, top: 2400 });
    expect(place).toMatchObject({ space: 24_000, maxTop: 23_760, first: 96, last: 113, slabTop: 96 * 24 });
  });

  it('draws nothing of nothing', () => {
    const place = placeRows({ count: 0, rowHeight: 24, height: 240, top: 0 });
    expect(place.last).toBeLessThan(place.first);
  });

  it('does not draw beyond the end', () => {
    const place = placeRows({ count: 5, rowHeight: 24, height: 240, top: 9999 });
    expect(place).toMatchObject({ first: 0, last: 4, slabTop: 0 });
  });

  it('reaches both ends of more rows than a browser can lay out', () => {
    const view = { count: 10_000_000, rowHeight: 24, height: 480 };
    const start = placeRows({ ...view, top: 0 });
    expect(start.first).toBe(0);
    expect(start.space).toBe(10_000_000);
    const end = placeRows({ ...view, top: start.maxTop });
    expect(end.last).toBe(9_999_999);
    // The last row ends where the space ends.
    expect(end.slabTop + (end.last - end.first + 1) * 24).toBeCloseTo(end.space, 3);
  });
});

describe('topFor', () => {
  const view = { count: 1000, rowHeight: 24, height: 240, top: 2400 };
  const place = placeRows(view);

  it('leaves a visible row where it is', () => {
    expect(topFor(105, place, view)).toBeNull();
  });

  it('scrolls no further than needed', () => {
    expect(topFor(99, place, view)).toBe(99 * 24);
    expect(topFor(110, place, view)).toBe(111 * 24 - 240);
  });
});

describe('shiftedTop', () => {
  it('keeps the rows that are drawn, however many there are, within the ends', () => {
    const view = { count: 1000, rowHeight: 24, height: 240, top: 2400 };
    const place = placeRows(view);
    expect(shiftedTop(-30, place, view)).toBe(70 * 24);
    expect(shiftedTop(-200, place, view)).toBe(0);
    expect(shiftedTop(2000, place, view)).toBe(place.maxTop);
    const many = { ...view, count: 10_000_000, top: 5_000_000 };
    const before = placeRows(many);
    expect(placeRows({ ...many, top: shiftedTop(500, before, many) }).first).toBe(before.first + 500);
  });
});

describe('keyTarget', () => {
  const press = (key: string, selected: number | null) =>
    keyTarget({ key, ctrlKey: false, metaKey: false, altKey: false }, selected, 100, 10);

  it('moves within the list', () => {
    expect(press('ArrowDown', 4)).toBe(5);
    expect(press('ArrowDown', 99)).toBe(99);
    expect(press('ArrowUp', 0)).toBe(0);
    expect(press('PageUp', 15)).toBe(5);
    expect(press('PageDown', 95)).toBe(99);
    expect(press('Home', 50)).toBe(0);
    expect(press('End', null)).toBe(99);
    expect(press('x', 50)).toBeNull();
  });

  it('begins at the newest row', () => {
    expect(press('ArrowUp', null)).toBe(99);
  });

  it('leaves shortcuts and empty lists alone', () => {
    expect(keyTarget({ key: 'End', ctrlKey: true, metaKey: false, altKey: false }, 1, 100, 10)).toBeNull();
    expect(keyTarget({ key: 'End', ctrlKey: false, metaKey: false, altKey: false }, 1, 0, 10)).toBeNull();
  });
});
