// Saving files and copying to the clipboard.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withHarness, shownWindow, xWindow, xdotool } from './harness.mjs';
import { until } from './desktop/until.mjs';

const SAVE = `
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(['some bytes'], { type: 'text/plain' }));
  link.download = 'a result.txt';
  link.click();`;

test(
  'a file is saved to the chosen path',
  withHarness(async (harness) => {
    const { page, app } = await harness.open();
    await xWindow(app);
    await page.run(SAVE);
    xdotool('windowactivate', '--sync', await shownWindow('--name', '^Save$'), 'key', 'Return');
    const file = join(harness.home, 'a result.txt');
    const saved = () => {
      try {
        return readFileSync(file, 'utf8');
      } catch {
        return null; // Not yet.
      }
    };
    assert.equal(await until('the file is there', saved), 'some bytes');
  }),
);

test(
  'the page can copy to the clipboard',
  withHarness(async (harness) => {
    const { page } = await harness.open();
    await page.wait("navigator.clipboard.writeText('copied')");
  }),
);
