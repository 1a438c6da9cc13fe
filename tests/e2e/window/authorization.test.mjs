// Obtaining a token in the real window: the system browser, a real provider, with and without the system's keychain.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { onOwnBus, withKeychain } from './desktop/bus.mjs';
import { row, withHarness, xdotool, xWindow } from './harness.mjs';
import { firstLine, gone } from './desktop/processes.mjs';
import { shoot } from './desktop/shots.mjs';
import { until } from './desktop/until.mjs';

const button = (text) => `//button[contains(., "${text}")]`;
const mode = (text) => `//*[@role="radiogroup"][@aria-label="Mode"]//label[contains(., "${text}")]`;
const status = (text) => `//*[@data-testid="authorization-status"][contains(., "${text}")]`;

/** A harness with a browser and a protected server. */
function guarded(play) {
  return withHarness(async (harness) => {
    harness.variables.BROWSER = join(import.meta.dirname, 'desktop', 'browser.mjs');
    harness.variables.PATCHBAY_BROWSER_LOG = join(harness.home, 'browser.log');
    await onOwnBus(harness);
    const program = join(import.meta.dirname, '..', '..', 'peers', 'oidc.mjs');
    const server = spawn(process.env.PATCHBAY_NODE ?? process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = new Promise((resolve) => server.once('close', resolve));
    try {
      const url = await firstLine(server);
      await play(harness, url);
    } finally {
      server.stdin.end();
      await ended;
    }
  });
}

const opened = (harness) => readFileSync(harness.variables.PATCHBAY_BROWSER_LOG, 'utf8').trim().split('\n').length;
const seen = async (url) => (await fetch(new URL('/seen', url))).json();
const vault = async (page) => (await page.call('vault_get')).state;

/** Adds the server by command and connects it; the browser consents. */
async function connect(page, url) {
  const { drafts } = await page.call('server_parse', { text: url });
  const { serverId } = await page.call('server_add', { draft: { ...drafts[0], name: 'guarded' } });
  await open(page, serverId);
  return serverId;
}

async function open(page, serverId) {
  await page.call('connection_open', { serverId });
  let asked = false;
  await until('the server is ready', async () => {
    // At a new host the user opens the browser; from then on Patchbay does.
    const { run } = await page.call('authorization_get', { serverId, runId: null });
    if (run?.awaitsOpen === true && !asked) {
      asked = true;
      await page.call('link_open', { url: run.authorizationUrl });
    }
    const { items } = await page.call('server_list');
    return items.find(({ id }) => id === serverId)?.connection.state === 'ready';
  });
}

/** Ends the app as a user does, and opens it again. */
async function again(harness, { app }) {
  xdotool('windowactivate', '--sync', await xWindow(app), 'key', 'ctrl+q');
  await gone([app]);
  return harness.open();
}

/** Calls the tool that requires another scope, and expects its image. */
async function stepUp(page) {
  await page.click(mode('Explore'));
  await page.click(row('Tools', 'get-tiny-image'));
  await page.click(button('Call tool'));
  // While the step-up waits for consent the window shows it; the result is where the tool is.
  await until('the image is shown', async () => {
    // The page may be changing: then click again.
    await page.click(mode('Explore')).catch(() => undefined);
    // A tool without hints is asked for once.
    const [agree] = await page.all('//*[@role="dialog"]//button[contains(., "Call tool")]');
    if (agree !== undefined) await page.click('//*[@role="dialog"]//button[contains(., "Call tool")]').catch(() => undefined);
    return (await page.all('//section[@aria-label="Result"]//img'))[0];
  });
}

test(
  'with a keychain: connect, refresh, step up, and a token that survives a restart',
  guarded(async (harness, url) => {
    withKeychain(harness);
    const first = await harness.open();
    const { page } = first;
    const serverId = await connect(page, url);
    await page.click(row('Servers', 'guarded'));
    await page.click(mode('Authorization'));
    await page.find(status('Authorized'));
    await shoot('authorized', first);
    await until('the vault is open', async () => (await vault(page)).type === 'ready');
    assert.deepEqual(await vault(page), { type: 'ready', kept: 'keychain' });
    assert.equal(opened(harness), 1);

    await page.call('authorization_expire', { serverId });
    await stepUp(page);
    assert.equal(opened(harness), 2);
    const calls = (await seen(url)).filter((line) => line.includes('get-tiny-image'));
    assert.deepEqual(calls, [
      'POST tools/call get-tiny-image [token 2] 403',
      'POST tools/call get-tiny-image [token 3]',
    ]);

    const second = await again(harness, first);
    await open(second.page, serverId);
    await stepUp(second.page);
    assert.equal(opened(harness), 2, 'the user is not asked again');

    await second.page.call('authorization_forget', { serverId });
    const third = await again(harness, second);
    await open(third.page, serverId);
    assert.equal(opened(harness), 3, 'what is forgotten is asked for again');
  }),
);

test(
  'without a keychain: a message is shown and nothing is stored',
  guarded(async (harness, url) => {
    const first = await harness.open();
    const { page } = first;
    const serverId = await connect(page, url);
    const state = await until('the vault asks how', async () => {
      const now = await vault(page);
      return now.type === 'choice' && now;
    });
    assert.ok(state.cause.length > 10 && state.next.length > 10, JSON.stringify(state));
    await page.shows('Where should secrets be stored?');
    await page.call('vault_choose', { choice: { type: 'memory' } });
    const dialog = '//section[@role="dialog"]';
    await page.click(`${dialog}//button[@aria-label="Close"]`);
    await until('the dialog is gone', async () => (await page.all(dialog)).length === 0);
    await page.click(row('Servers', 'guarded'));
    await stepUp(page);
    assert.deepEqual(await vault(page), { type: 'ready', kept: 'memory' });
    const { file } = await page.call('vault_get');
    assert.equal(existsSync(file), false);

    const before = opened(harness);
    const second = await again(harness, first);
    await open(second.page, serverId);
    assert.equal(opened(harness), before + 1, 'the token was gone with the program');
  }),
);

test(
  'without a keychain: a passphrase protects the token and is required after a restart',
  guarded(async (harness, url) => {
    const first = await harness.open();
    await first.page.call('vault_choose', { choice: { type: 'passphrase', text: 'correct horse battery' } });
    const serverId = await connect(first.page, url);
    const before = opened(harness);
    const second = await again(harness, first);
    await second.page.call('vault_unlock', { passphrase: 'correct horse battery' });
    await open(second.page, serverId);
    await second.page.click(row('Servers', 'guarded'));
    await stepUp(second.page);
    assert.equal(opened(harness), before + 1, 'only the step up was asked for');
  }),
);
