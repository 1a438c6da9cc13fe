import { afterEach, expect, it, vi } from 'vitest';
import { loadFonts } from './fonts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Whether loading the fonts has ended after this many ms. */
async function isDone(load: () => Promise<FontFace[]>, afterMs: number): Promise<boolean> {
  vi.useFakeTimers();
  vi.stubGlobal('document', { fonts: { load } });
  let done = false;
  void loadFonts().then(() => (done = true));
  await vi.advanceTimersByTimeAsync(afterMs);
  return done;
}

it('waits for the fonts, but neither for one that does not come nor for one that cannot', async () => {
  const never = (): Promise<FontFace[]> => new Promise(() => {});
  expect(await isDone(never, 900)).toBe(false);
  expect(await isDone(never, 1_100)).toBe(true);
  expect(await isDone(() => Promise.resolve([]), 1)).toBe(true);
  expect(await isDone(() => Promise.reject(new Error('no such font')), 1)).toBe(true);
});
