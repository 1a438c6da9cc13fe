// The first hour in pictures, to be judged: from the first screen over demo, real servers and failures to settings, help and
// chat. `node hour.mjs FOLDER`, run by `cargo xtask screenshots --hour`. Each scene in both themes and two sizes.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from '@playwright/test';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 1600, height: 1000 },
];
const THEMES = ['light', 'dark'];
const EVERYTHING = join(process.env.PATCHBAY_PEERS_NODE ?? '.', 'mcp-server-everything');

const target = process.argv[2] ?? '.';
await mkdir(target, { recursive: true });
const home = await mkdtemp(join(tmpdir(), 'patchbay-hour-'));
const started = [];

/** Starts a program; the promise is its first line. */
function start(program, args, env = {}) {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
  started.push(child);
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}`)));
  });
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** Waits until something listens there. */
async function listening(port) {
  const isOpen = () =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
  while (!(await isOpen())) await new Promise((resolve) => setTimeout(resolve, 50));
}

await mkdir(join(home, '.cursor'));
const env = { WEATHER_TOKEN: 'k-0123456789abcdef0123456789' };
const others = { weather: { command: 'uvx', args: ['weather-server', '--units', 'metric'], env }, docs: { url: 'https://mcp.example/docs' } };
await writeFile(join(home, '.cursor', 'mcp.json'), JSON.stringify({ mcpServers: others }));

// No keychain and no browser but the script's own.
const isolated = { HOME: home, XDG_CONFIG_HOME: join(home, '.config'), BROWSER: 'true', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' };
const address = await start(process.env.PATCHBAY_BIN, ['serve', '--data-dir', join(home, 'data')], isolated);
const port = await freePort();
started.push(spawn(EVERYTHING, ['streamableHttp'], { env: { ...process.env, PORT: String(port) }, stdio: ['pipe', 'ignore', 'ignore'] }));
await listening(port);
const browser = await chromium.launch({
  executablePath: process.env.PATCHBAY_CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--force-device-scale-factor=1'],
});

try {
  const page = await browser.newPage({ viewport: SIZES[0], reducedMotion: 'reduce' });
  let number = 0;
  const scene = async (name) => {
    number += 1;
    for (const size of SIZES) {
      await page.setViewportSize(size);
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.evaluate(() => document.fonts.ready);
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
        const file = `${String(number).padStart(2, '0')}-${name}-${size.width}-${colorScheme}.png`;
        await page.screenshot({ path: join(target, file), animations: 'disabled', caret: 'hide' });
      }
    }
    await page.setViewportSize(SIZES[0]);
    console.log(name);
  };
  const tools = page.getByRole('listbox', { name: 'Tools' }).getByRole('option');
  const result = page.getByRole('region', { name: 'Result', exact: true });
  const log = page.getByRole('listbox', { name: 'Traffic' }).getByRole('option');
  const selectTool = async (name) => {
    await page.getByLabel('Search tools').fill(name);
    await tools.filter({ hasText: name }).first().click();
    await page.getByLabel('Search tools').fill('');
    await page.getByRole('heading', { name, exact: true }).waitFor();
  };
  const call = async () => {
    await page.getByRole('button', { name: 'Call tool' }).click();
    await result.getByRole('status').getByText('Result').waitFor();
  };
  const add = async (text) => {
    await page.getByRole('button', { name: 'Add server' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Add a server' });
    await dialog.getByLabel('Paste anything').fill(text);
    const read = dialog.getByLabel('Command', { exact: true }).or(dialog.getByLabel('URL', { exact: true }));
    await page.waitForFunction(
      () => [...document.querySelectorAll('[role=dialog] input')].some(({ value }) => value.includes('/')),
    );
    await read.first().waitFor();
    return dialog;
  };
  const saved = async (dialog) => {
    await dialog.getByRole('button', { name: 'Save and connect' }).click();
    await dialog.waitFor({ state: 'hidden' });
  };

  await page.goto(address);
  await page.getByRole('button', { name: 'Connect demo' }).waitFor();
  await scene('welcome');

  await page.getByRole('button', { name: 'Connect demo' }).click();
  await tools.first().waitFor();
  await scene('demo-connected');
  await selectTool('greet');
  await page.locator('[data-field="/name"] :is(input, textarea)').fill('Ada');
  await call();
  await scene('first-result');
  await selectTool('every_content');
  await call();
  await scene('every-content');

  const stdio = await add(`'${EVERYTHING}' stdio`);
  await scene('add-stdio');
  await saved(stdio);
  await tools.filter({ hasText: 'get-sum' }).waitFor();
  await selectTool('get-sum');
  await page.locator('[data-field="/a"] :is(input, textarea)').fill('40');
  await page.locator('[data-field="/b"] :is(input, textarea)').fill('2');
  await call();
  await scene('stdio-result');
  await selectTool('get-structured-content');
  await page.getByRole('button', { name: 'Call tool' }).click();
  await scene('problems-of-a-form');

  await saved(await add('/opt/no-such-server --stdio'));
  await page.getByText('Failed at').waitFor();
  await scene('wrong-command');

  await saved(await add(`http://127.0.0.1:${port}/mcp`));
  await tools.filter({ hasText: 'get-sum' }).waitFor();
  await selectTool('echo');
  await page.locator('[data-field="/message"] :is(input, textarea)').first().fill('over HTTP');
  await call();
  await scene('http-result');
  await log.filter({ hasText: 'POST' }).last().click();
  await page.getByRole('region', { name: 'Record' }).waitFor();
  await scene('http-exchange');

  await saved(await add(`http://127.0.0.1:${port}/wrong`));
  await page.getByText('Failed at').waitFor();
  await scene('wrong-path');

  const filter = page.getByLabel('Filter records');
  await filter.fill('st');
  await scene('filter-terms');
  await filter.fill('method:tools/call status:ok');
  await page.getByText(/^\d+ records$/).first().waitFor();
  await scene('filtered');
  await filter.fill('status:wrong');
  await page.getByRole('status').filter({ hasText: 'unknown' }).waitFor();
  await scene('wrong-filter');
  await filter.fill('');
  await page.getByRole('button', { name: 'Rows and columns' }).click();
  await page.getByRole('menu').waitFor();
  await scene('columns');
  await page.keyboard.press('Escape');

  const dialogOf = async (name, open, picture) => {
    await open();
    await page.getByRole('dialog', { name, exact: true }).waitFor();
    await scene(picture);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name, exact: true }).waitFor({ state: 'hidden' });
  };
  const fromPalette = (text) => async () => {
    await page.keyboard.press('Control+k');
    await page.getByLabel('Command palette').fill(text);
    await page.keyboard.press('Enter');
  };
  await page.keyboard.press('Control+k');
  await page.getByLabel('Command palette').fill('s');
  await scene('palette');
  await page.keyboard.press('Escape');
  await page.getByLabel('Command palette').waitFor({ state: 'hidden' });
  await dialogOf('Import servers from other hosts', fromPalette('import servers'), 'import');
  await dialogOf('Settings', () => page.keyboard.press('Control+,'), 'settings');
  await dialogOf('Help', () => page.keyboard.press('F1'), 'help');
  await dialogOf('Shortcuts', fromPalette('keyboard shortcuts'), 'shortcuts');

  await page.getByRole('tree', { name: 'Servers' }).getByRole('treeitem').first().click();
  for (const tab of ['Resources', 'Prompts', 'Logs', 'Composer', 'Info', 'Tasks', 'Subscriptions']) {
    const shown = page.getByRole('tab', { name: tab, exact: true });
    if (await shown.isVisible()) await shown.click();
    else {
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name: tab }).click();
    }
    await scene(`tab-${tab.toLowerCase()}`);
  }
  await page.getByRole('tab', { name: 'Tools', exact: true }).click();
  await selectTool('ask_form');
  await page.getByRole('button', { name: 'Call tool' }).click();
  await page.getByRole('dialog', { name: /requests your input/ }).waitFor();
  await scene('input-request');
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();

  await page.getByRole('radiogroup', { name: 'Mode' }).getByRole('radio', { name: 'Chat' }).click();
  await page.getByRole('button', { name: 'Start a conversation' }).click();
  await scene('chat-begun');
  await page.getByRole('textbox', { name: 'Message' }).fill('What is 40 + 2?');
  await page.keyboard.press('Control+Enter');
  await page.getByLabel('Answer in place of the model').waitFor();
  await scene('chat-manual');
} finally {
  await browser.close();
  for (const child of started) {
    if (child.exitCode !== null) continue;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 5_000))]);
  }
  await rm(home, { recursive: true, force: true });
}
