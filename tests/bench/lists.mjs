// Shared by the benchmarks of lists: when a list is usable, and what a key in its search costs.
import { mainThread, median } from './measure.mjs';

/**
 * In the page: `window.usable` resolves, in ms since the epoch, when the list is usable: its first row and the count that
 * matches `count` have been painted, and the search accepts text.
 */
export function watchList({ list, find, count }) {
  const counted = new RegExp(`(?<![\\d,])${count}`);
  window.usable = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error(`${list} could not be used within 60 s`)), 60_000);
    const look = () => {
      const box = document.querySelector(`[role="listbox"][aria-label="${list}"]`);
      const there =
        box?.querySelector('[role="option"]') != null &&
        counted.test(box.closest('section').textContent) &&
        document.querySelector(`input[aria-label="${find}"]`)?.disabled === false;
      if (there) window.afterPaint(() => resolve(Date.now()));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

/** The times of all runs for the key with the worst median: the slowest key, not the machine's worst moment. */
export function slowestKey(runs) {
  const keys = Array.from(runs[0] ?? [], (_, key) => runs.map((run) => run[key]));
  return keys.reduce((worst, of) => (median(of) > median(worst) ? of : worst), keys[0] ?? []);
}

/** The main-thread time of each key of the query in ms, including the rendering it caused. */
export async function keystrokes(page, find, query) {
  await find.click();
  // The last opened panel is saved to disk a moment later; that is not part of the first key's cost.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const main = await mainThread(page);
  const took = [];
  for (const key of query) {
    const before = await main.settled();
    await page.keyboard.press(key);
    took.push((await main.settled()) - before);
  }
  return took;
}

/** The cost of the same keys where nothing is searched. */
export async function keystrokesOnBarePage(browser, query) {
  const page = await browser.newPage();
  await page.setContent('<input aria-label="Nothing">');
  const took = await keystrokes(page, page.getByLabel('Nothing'), query);
  await page.close();
  return took;
}
