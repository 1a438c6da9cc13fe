import { expect, it } from 'vitest';
import { keepPlace, keptPlace, restoredTop } from './keptPlaces';

it('keeps the selected row where it was when rows come or go before it', () => {
  const before = { top: 1_000, rowHeight: 28, selected: 50, anchor: 'a' };
  expect(restoredTop(before, { selected: 52, anchor: 'a' }, 28)).toBe(1_056);
  expect(restoredTop(before, { selected: 3, anchor: 'a' }, 28)).toBe(0);
  expect(restoredTop(before, { selected: 50, anchor: 'b' }, 28)).toBeNull();
  expect(restoredTop({ ...before, selected: null, anchor: null }, { selected: null, anchor: null }, 28)).toBe(
    1_000,
  );
});

it('keeps the first row the first when the rows have another height', () => {
  const before = { top: 280, rowHeight: 28, selected: 12, anchor: 'a' };
  expect(restoredTop(before, { selected: 12, anchor: 'a' }, 24)).toBe(240);
  expect(restoredTop(before, { selected: 13, anchor: 'a' }, 24)).toBe(264);
});

it('remembers the places of the lists that were shown last', () => {
  for (let n = 0; n <= 200; n += 1)
    keepPlace(`list ${n}`, { top: n, rowHeight: 28, selected: null, anchor: null });
  expect(keptPlace('list 0')).toBeUndefined();
  expect(keptPlace('list 200')?.top).toBe(200);
});
