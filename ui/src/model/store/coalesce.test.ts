import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { coalesce } from './coalesce';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('runs at once, and once more for all that was asked meanwhile', async () => {
  const ends: (() => void)[] = [];
  const task = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)));
  const ask = coalesce(task, 100);

  const first = ask();
  const second = ask();
  const third = ask();
  expect(task).toHaveBeenCalledTimes(1);
  ends[0]?.();
  await first;
  await vi.advanceTimersByTimeAsync(99);
  expect(task).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(task).toHaveBeenCalledTimes(2);
  ends[1]?.();
  await Promise.all([second, third]);

  await vi.advanceTimersByTimeAsync(100);
  void ask();
  expect(task).toHaveBeenCalledTimes(3);
});
