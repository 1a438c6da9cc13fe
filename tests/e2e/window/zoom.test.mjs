// The zoom of the window: its keys are those of the GTK window, so they are pressed on the X server.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gone } from './desktop/processes.mjs';
import { connectDemo, withHarness, xWindow, xdotool } from './harness.mjs';
import { until } from './desktop/until.mjs';

/** The page's width in CSS pixels, relative to the width it had unzoomed. */
const scale = async (page, width) => width / (await page.run('return innerWidth'));

/** Waits until the page has a scale. */
const hasScale = (page, width, expected) =>
  until(`the page is zoomed to ${expected}`, async () => Math.abs((await scale(page, width)) - expected) < 0.02, {
    seen: async () => String(await scale(page, width)),
  });

async function press(app, key) {
  xdotool('windowactivate', '--sync', await xWindow(app), 'key', '--clearmodifiers', key);
}

test(
  'Ctrl and +, −, 0 zoom the window, and the level is kept',
  withHarness(async (harness) => {
    const { page, app } = await harness.open();
    await connectDemo(page);
    const width = await page.run('return innerWidth');
    assert.ok(width > 800, `${width}`);
    for (const [key, expected] of [
      ['ctrl+plus', 1.1],
      ['ctrl+equal', 1.25],
      ['ctrl+minus', 1.1],
      ['ctrl+KP_Add', 1.25],
      ['ctrl+0', 1],
      ['ctrl+KP_Subtract', 0.9],
      ['ctrl+minus', 0.8],
    ]) {
      await press(app, key);
      await hasScale(page, width, expected);
    }
    const kept = join(harness.home, 'data', 'patchbay', 'zoom.json');
    assert.equal(statSync(kept).mode & 0o777, 0o600);
    // Other keys still reach the page, and the window.
    await press(app, 'ctrl+k');
    await page.find('//*[@role="dialog"]');
    await press(app, 'Escape');
    await press(app, 'ctrl+q');
    await gone([app]);
    const again = await harness.open();
    await hasScale(again.page, width, 0.8);
  }),
);
