import { expect, it } from 'vitest';
import { KIND_GROUPS, toggleKinds } from './kinds';

it('adds and removes a group', () => {
  expect(toggleKinds([], ['request'])).toEqual(['request']);
  expect(toggleKinds(['stderr'], ['request'])).toEqual(['request', 'stderr']);
  expect(toggleKinds(['request', 'stderr'], ['request'])).toEqual(['stderr']);
});

it('ends with no restriction when the last one goes and when all are on', () => {
  expect(toggleKinds(['request'], ['request'])).toEqual([]);
  const all = KIND_GROUPS.reduce<ReturnType<typeof toggleKinds>>((shown, { kinds }, i) => {
    if (i > 0) expect(shown).not.toEqual([]);
    return toggleKinds(shown, kinds);
  }, []);
  expect(all).toEqual([]);
});
