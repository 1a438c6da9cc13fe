// A conversation in the real window: a call that waits, its result, who was sent what, and the three views, in both themes.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { connect, connectDemo, row, withHarness } from './harness.mjs';
import { firstLine } from './desktop/processes.mjs';
import { shoot } from './desktop/shots.mjs';
import { until } from './desktop/until.mjs';

const SCRIPTED = join(process.env.PATCHBAY_BIN_DIR ?? dirname(process.env.PATCHBAY_BIN), 'patchbay-test-server');

const button = (text) => `//button[normalize-space(.)="${text}"]`;
const mode = (text) => `//*[@role="radiogroup"][@aria-label="Mode"]//label[contains(., "${text}")]`;
const call = (alias, state) => `//section[@aria-label="Call to ${alias}: ${state}"]`;

/** The views of a conversation, with what each shows. */
const VIEWS = [
  ['Operations', '//*[@role="tree"]//*[@role="treeitem"][contains(., "echo")]'],
  ['Raw', '//input[@aria-label="Filter these records"]'],
  ['Conversation', call('echo', 'Done')],
];

/** A scripted model provider for as long as `use` runs. */
async function withModels(use) {
  const child = spawn(SCRIPTED, ['models', 'any'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const gone = new Promise((resolve) => child.once('close', resolve));
  try {
    const url = await firstLine(child);
    await use(url.replace('/v1', '/open/v1'));
  } finally {
    child.stdin.end();
    await gone;
  }
}

async function theme(page, name) {
  await page.click('//button[@aria-label="Theme"]');
  await page.click(`//*[starts-with(@role, "menuitem")][contains(., "${name}")]`);
  const scheme = () => page.run('return document.documentElement.dataset.mantineColorScheme');
  await until(`the theme is ${name}`, async () => (await scheme()) === name.toLowerCase(), { seen: scheme });
}

/** Takes the pictures of a state in both themes. */
async function both(name, opened) {
  for (const scheme of ['Light', 'Dark']) {
    await theme(opened.page, scheme);
    await shoot(`${name}-${scheme.toLowerCase()}`, opened);
  }
}

/** Writes a message, once the turn before it has ended. */
async function send(page, text) {
  await page.find(`${button('Send')}`);
  await page.type('//textarea[@aria-label="Message"]', text);
  await page.click(`${button('Send')}[not(@disabled)]`);
}

test(
  'a conversation calls tools of two servers, and shows what went where',
  withHarness((harness) =>
    withModels(async (baseUrl) => {
      const opened = await harness.open();
      const { page } = opened;
      await connectDemo(page);
      await connect(page, `${SCRIPTED} legacy`);
      await page.call('provider_save', {
        providerId: null,
        name: 'Local',
        api: 'chatCompletions',
        baseUrl,
        key: { type: 'none' },
        defaultModel: 'script',
      });
      await page.click(row('Servers'));
      await page.click(mode('Chat'));
      await page.click(button('Start a conversation'));

      await send(page, 'call about {}');
      await page.find(call('about', 'Waiting for you'));
      await both('chat-waiting', opened);
      await page.click(button('Run once'));
      await page.find(`${call('about', 'Done')}[contains(., "untrusted")]`);

      // A part of its result goes to the other server: that is shown, and asked about.
      await send(page, 'call echo {"text":"RESULT"}');
      const waiting = call('echo', 'Waiting for you');
      await page.find(`${waiting}//*[@role="note"][@aria-label="Data from another server"][contains(., "Demo server")]`);
      await both('chat-data-flow', opened);
      await page.click(button('Run once'));
      await page.find(call('echo', 'Done'));
      await page.find(button('Send'));

      for (const [view, shows] of VIEWS) {
        await page.click(`//*[@role="radiogroup"]//label[normalize-space(.)="${view}"]`);
        await page.find(shows);
        await both(`chat-${view.toLowerCase()}`, opened);
      }
      const { items } = await page.call('chat_list', { search: '' });
      assert.equal(items.length, 1, 'one conversation was made');
    }),
  ),
);
