// The system's dialog for folders, with which roots are chosen.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { shownWindow, withHarness, xWindow, xdotool } from './harness.mjs';
import { until } from './until.mjs';

const button = (text) => `//button[contains(., "${text}")]`;

test(
  'a root is chosen in the dialog of the system',
  withHarness(async (harness) => {
    const chosen = join(harness.home, 'a folder');
    mkdirSync(chosen);
    const { page, app } = await harness.open();
    await xWindow(app);
    await page.click(button('Connect demo'));
    await page.find('//*[@role="option"][contains(., "greet")]');
    // It is visible only under the pointer.
    await page.run('document.querySelector(\'[aria-label="Actions for Demo server"]\').click()');
    await page.click('//*[@role="menuitem"][contains(., "Edit")]');
    await page.click(`//*[@role="dialog"]${button('Roots')}`);
    // It unfolds for a moment, while nothing in it can be clicked with the pointer.
    await page.run('document.querySelector(\'input[type="radio"][value="folders"]\').click()');
    const choose = async () => {
      await page.find('//*[@aria-label="Choose folder 1"]');
      await page.run('document.querySelector(\'[aria-label="Choose folder 1"]\').click()');
    };
    const field = () => page.run('return document.querySelector(\'[aria-label="Folder 1"]\')?.value');
    // Cancelled, nothing changes.
    await choose();
    xdotool('windowactivate', '--sync', await shownWindow('--name', '^Choose a folder$'), 'key', 'Escape');
    assert.equal(await field(), '');
    // The dialog begins at the folder that was typed, and returns its path without the slash.
    await page.type('//*[@aria-label="Folder 1"]', `${chosen}/`);
    await choose();
    xdotool('windowactivate', '--sync', await shownWindow('--name', '^Choose a folder$'), 'key', 'Return');
    await until('the folder is in the field', async () => (await field()) === chosen, { seen: field });
    await page.find(`//*[contains(., "file://${chosen.replace(' ', '%20')}")]`);
  }),
);
