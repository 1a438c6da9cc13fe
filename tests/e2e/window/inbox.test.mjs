// Requests of a server that nobody here wrote, answered in the real window.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect, withHarness } from './harness.mjs';
import { shoot } from './shots.mjs';

const EVERYTHING = join(process.env.PATCHBAY_PEERS_NODE ?? '.', 'mcp-server-everything');
const skip = existsSync(EVERYTHING) ? false : 'mcp-server-everything is not installed (cargo xtask peers)';

const option = (list, text) =>
  `//*[@role="listbox"][@aria-label="${list}"]//*[@role="option"][contains(., "${text}")]`;
const button = (text) => `//button[normalize-space(.)="${text}"]`;
const inDialog = (text) => `//*[@role="dialog"][contains(., "${text}")]`;
const inResult = (text) => `//section[@aria-label="Result"]//*[contains(., "${text}")]`;

async function call(page, tool) {
  await page.run('document.querySelector(\'[aria-label="Clear text"]\')?.click()');
  await page.type('//input[@aria-label="Find tools"]', tool);
  await page.click(option('Tools', tool));
  await page.click(button('Call tool'));
}

test(
  'everything: a form and the roots, in the real window',
  { skip },
  withHarness(async (harness) => {
    const opened = await harness.open();
    const { page } = opened;
    await connect(page, EVERYTHING);
    await page.click('//*[@role="listbox"][@aria-label="Servers"]//*[@role="option"]');
    await page.find(option('Tools', 'trigger-elicitation-request'));

    await call(page, 'trigger-elicitation-request');
    // Without a window manager the window may not have the focus, and nothing opens by itself.
    await page.click(button('Answer'));
    await page.find(inDialog('the only request under way'));
    await page.find('//*[@role="dialog"]//input[@value="Superman"]');
    await shoot('elicitation', opened);
    await page.type('//*[@role="dialog"]//*[@data-field="/name"]//textarea', 'Ada');
    await page.click(button('Send answer'));
    await page.find(inResult('Ada'));

    await call(page, 'get-roots-list');
    await page.find(inResult('roots'));
    assert.equal(await page.run('return document.querySelector(\'[data-testid="inbox-count"]\')'), null);
  }),
);
