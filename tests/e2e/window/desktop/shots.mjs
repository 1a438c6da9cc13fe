// Screenshots of the real window, into the folder that PATCHBAY_SHOTS names.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { xWindow, xdotool } from '../harness.mjs';
import { until } from './until.mjs';

const FOLDER = process.env.PATCHBAY_SHOTS;
const SIZES = [
  [1280, 800],
  [1600, 1000],
];

/** Takes a screenshot of the window in each size, if PATCHBAY_SHOTS is set. */
export async function shoot(name, { page, app }) {
  if (!FOLDER) return;
  mkdirSync(FOLDER, { recursive: true });
  const window = await xWindow(app);
  for (const [width, height] of SIZES) {
    await resize(page, window, width, height);
    const file = join(FOLDER, `${name}-${width}x${height}.png`);
    execFileSync('import', ['-window', window, file]);
  }
}

/** Resizes the page and waits until it is redrawn. */
export async function resize(page, window, width, height) {
  xdotool('windowsize', window, String(width), String(height));
  await until(`the page is ${width} pixels wide`, () =>
    page.run('return innerWidth === arguments[0] && innerHeight === arguments[1]', width, height),
  );
  await page.wait('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))');
}
