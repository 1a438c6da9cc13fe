// What the page saves goes where the user says, and what it copies can be pasted.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { atDesk, shownWindow, xWindow, xdotool } from './desk.mjs';
import { until } from './until.mjs';

const SAVE = `
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(['some bytes'], { type: 'text/plain' }));
  link.download = 'a result.txt';
  link.click();`;

test(
  'a file is saved where the user says',
  atDesk(async (desk) => {
    const { page, app } = await desk.open();
    await xWindow(app);
    await page.run(SAVE);
    xdotool('windowactivate', '--sync', await shownWindow('--name', '^Save$'), 'key', 'Return');
    const file = join(desk.home, 'a result.txt');
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
  'the page may copy',
  atDesk(async (desk) => {
    const { page } = await desk.open();
    await page.wait("navigator.clipboard.writeText('copied')");
  }),
);
