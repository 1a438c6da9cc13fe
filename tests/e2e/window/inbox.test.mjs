// Requests of servers in the real window: the system's dialog for folders, with which roots are chosen, folders that are dragged in,
// and a server that nobody here wrote.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { dragFiles } from './desktop/drag.mjs';
import { connect, isShown, row, shownWindow, withHarness, xdotool, xWindow } from './harness.mjs';
import { shoot } from './desktop/shots.mjs';
import { until } from './desktop/until.mjs';

const button = (text) => `//button[contains(., "${text}")]`;
const EVERYTHING = join(process.env.PATCHBAY_PEERS_NODE ?? '.', 'mcp-server-everything');

const exactButton = (text) => `//button[normalize-space(.)="${text}"]`;
const inDialog = (text) => `//*[@role="dialog"][contains(., "${text}")]`;
const inResult = (text) => `//section[@aria-label="Result"]//*[contains(., "${text}")]`;

/** Opens the roots of the demo server, as folders. */
async function openRoots(harness) {
  const opened = await harness.open();
  const { page, app } = opened;
  await xWindow(app);
  await page.click(button('Connect demo'));
  await page.find(row('Tools', 'greet'));
  // It is visible only under the pointer.
  await page.run('document.querySelector(\'[aria-label="Actions for Demo server"]\').click()');
  await page.click('//*[@role="menuitem"][contains(., "Edit")]');
  await page.click(`//*[@role="dialog"]${button('Roots')}`);
  // It unfolds for a moment, while nothing in it can be clicked with the pointer.
  await page.run('document.querySelector(\'input[type="radio"][value="folders"]\').click()');
  await page.find('//*[@aria-label="Choose folder 1"]');
  return opened;
}

test(
  'a root is chosen in the dialog of the system',
  withHarness(async (harness) => {
    const chosen = join(harness.home, 'a folder');
    mkdirSync(chosen);
    const opened = await openRoots(harness);
    const { page } = opened;
    const choose = async () => {
      await page.find('//*[@aria-label="Choose folder 1"]');
      await page.run('document.querySelector(\'[aria-label="Choose folder 1"]\').click()');
    };
    const field = () => page.run('return document.querySelector(\'[aria-label="Folder 1"]\')?.value');
    // Cancelled, nothing changes.
    await choose();
    xdotool('windowactivate', '--sync', await shownWindow('--name', '^Choose a folder$'), 'key', 'Escape');
    // The next dialog has the same name.
    await until('the dialog is closed', () => !isShown('--name', '^Choose a folder$'));
    assert.equal(await field(), '');
    // The dialog begins at the folder that was typed, and returns its path without the slash.
    await page.type('//*[@aria-label="Folder 1"]', `${chosen}/`);
    await choose();
    xdotool('windowactivate', '--sync', await shownWindow('--name', '^Choose a folder$'), 'key', 'Return');
    await until('the folder is in the field', async () => (await field()) === chosen, { seen: field });
    await page.find(`//*[contains(., "file://${chosen.replace(' ', '%20')}")]`);
    // Choosing it is consent: the server gets it at once, and what is removed afterwards is flagged.
    await page.run(
      'Array.from(document.querySelectorAll(\'[role="dialog"] button\')).find((it) => it.textContent === "Save").click()',
    );
    await until('the dialog is closed', async () => (await page.all('//*[@role="dialog"]')).length === 0);
    await page.click('//button[text()="More"]');
    await page.click('//*[@role="menuitem"][contains(., "Roots")]');
    await page.find(`//li[@aria-label="${chosen}: Allowed"]`);
    await shoot('roots', opened);
    rmdirSync(chosen);
    await page.find(`//li[@aria-label="${chosen}: Missing"]`);
  }),
);

test(
  'folders are dragged from another program into the roots of a server',
  withHarness(async (harness) => {
    const folders = ['a folder', 'größer'].map((name) => join(harness.home, name));
    folders.forEach((folder) => mkdirSync(folder));
    const opened = await openRoots(harness);
    const { page } = opened;
    const place = '[role="group"][aria-label="Folders"]';
    await page.find('//*[contains(., "Folders can be dropped here")]');
    await dragFiles(opened, folders, place, `document.querySelector('${place}').hasAttribute('data-over')`);
    const fields = () =>
      page.run('return Array.from(document.querySelectorAll(\'[aria-label^="Folder "]\'), ({ value }) => value)');
    await until('both are in the fields', async () => (await fields()).join() === folders.join(), { seen: fields });
    await page.find('//*[contains(., "gr%C3%B6%C3%9Fer")]');
  }),
);

/** Connects server-everything and shows its tools. */
async function openEverything(harness) {
  assert.ok(existsSync(EVERYTHING), 'mcp-server-everything is not installed: run `cargo xtask peers` first');
  const opened = await harness.open();
  const { page } = opened;
  await connect(page, EVERYTHING);
  await page.click(row('Servers'));
  await page.find(row('Tools', 'trigger-elicitation-request'));
  return opened;
}

async function call(page, tool) {
  await page.run('document.querySelector(\'[aria-label="Clear text"]\')?.click()');
  await page.type('//input[@aria-label="Search tools"]', tool);
  await page.click(row('Tools', tool));
  await page.click(exactButton('Call tool'));
}

test(
  'everything: a form and the roots, in the real window',
  withHarness(async (harness) => {
    const opened = await openEverything(harness);
    const { page } = opened;
    await call(page, 'trigger-elicitation-request');
    // Without a window manager the window may not have the focus, and nothing opens by itself.
    await page.click(exactButton('Answer'));
    await page.find(inDialog('the only request in progress'));
    await page.find('//*[@role="dialog"]//input[@value="Superman"]');
    await shoot('elicitation', opened);
    await page.type('//*[@role="dialog"]//*[@data-field="/name"]//textarea', 'Ada');
    await page.click(exactButton('Send answer'));
    await page.find(inResult('Ada'));

    await call(page, 'get-roots-list');
    await page.find(inResult('roots'));
    assert.equal(await page.run('return document.querySelector(\'[data-testid="inbox-count"]\')'), null);
  }),
);

test(
  'everything: a completion is written by hand, beside its call, in the real window',
  withHarness(async (harness) => {
    const opened = await openEverything(harness);
    const { page } = opened;
    await page.type('//input[@aria-label="Search tools"]', 'trigger-sampling-request');
    await page.click(row('Tools', 'trigger-sampling-request'));
    await page.type('//*[@data-field="/prompt"]//textarea', 'Name a river');
    await page.click(exactButton('Call tool'));
    await page.click(exactButton('Answer'));
    await page.find(inDialog('Name a river'));
    await shoot('sampling', opened);
    await page.type('//*[@role="dialog"]//*[@data-answer]//textarea', 'The Spree');
    await page.click(exactButton('Send answer'));
    await page.find(inResult('The Spree'));
  }),
);
