// The pictures of the README: `node screenshots.mjs FOLDER`, run by `cargo xtask screenshots`.
import { spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from '@playwright/test';

const target = process.argv[2] ?? '.';
await mkdir(target, { recursive: true });
const folder = await mkdtemp(join(tmpdir(), 'patchbay-pictures-'));
// Nothing of the machine that takes them is in the pictures.
const env = { ...process.env, HOME: '/tmp', PATH: '/usr/local/bin:/usr/bin:/bin' };
// No keychain and no browser but the script's own either.
Object.assign(env, { BROWSER: 'true', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' });
const firstLine = (program, child) =>
  new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}`)));
  });
// The log says where the demo server's program is.
const program = join(folder, 'patchbay');
await copyFile(process.env.PATCHBAY_BIN, program);
const child = spawn(program, ['serve', '--data-dir', folder], { env, stdio: ['ignore', 'pipe', 'inherit'] });
const address = await firstLine('patchbay serve', child);
// A protected server; it serves until its stdin ends.
const guarded = spawn(join(process.env.PATCHBAY_BIN_DIR, 'patchbay-test-server'), ['oauth', 'fair'], { stdio: ['pipe', 'pipe', 'inherit'] });
const guardedAddress = await firstLine('the protected server', guarded);
// A provider whose model does what it is told.
const models = spawn(join(process.env.PATCHBAY_BIN_DIR, 'patchbay-test-server'), ['models', 'any'], { stdio: ['pipe', 'pipe', 'inherit'] });
const modelsAddress = await firstLine('the model provider', models);
const browser = await chromium.launch({
  executablePath: process.env.PATCHBAY_CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--force-device-scale-factor=1'],
});

try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  const shoot = async (name) => {
    await page.mouse.move(720, 2);
    await page.evaluate(() => document.fonts.ready);
    await page.screenshot({ path: join(target, `${name}.png`), animations: 'disabled', caret: 'hide' });
    console.log(`${name}.png`);
  };
  const theme = async (name) => {
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('menuitem', { name }).click();
    await page.getByRole('menu').waitFor({ state: 'hidden' });
  };
  const tools = page.getByRole('listbox', { name: 'Tools' }).getByRole('option');
  const selectTool = async (name) => {
    await page.getByLabel('Search tools').fill(name);
    await tools.filter({ hasText: name }).first().click();
    await page.getByLabel('Search tools').fill('');
    await page.getByRole('heading', { name, exact: true }).waitFor();
  };
  const call = async () => {
    await page.getByRole('button', { name: 'Call tool' }).click();
    await page.getByRole('region', { name: 'Result', exact: true }).getByRole('status').getByText('Result').waitFor();
  };

  await page.goto(address);
  await page.getByRole('button', { name: 'Connect demo' }).waitFor();
  await theme('Light');
  await shoot('welcome-light');

  await page.getByRole('button', { name: 'Connect demo' }).click();
  await tools.first().waitFor();
  await selectTool('convert');
  await call();
  await theme('Dark');
  await selectTool('book_trip');
  await shoot('form-dark');
  await selectTool('every_content');
  await call();
  await shoot('tools-dark');

  await page.getByRole('tab', { name: 'Info' }).click();
  await page.getByRole('heading').first().waitFor();
  await shoot('info-dark');
  await page.getByRole('tab', { name: 'Tools' }).click();

  await selectTool('ask_form');
  await page.getByRole('button', { name: 'Call tool' }).click();
  const request = page.getByRole('dialog', { name: /requests your input/ });
  await request.locator('[data-field="/name"] input, [data-field="/name"] textarea').first().fill('Ada');
  await theme('Light');
  await shoot('inbox-light');
  await request.getByRole('button', { name: 'Send answer' }).click();
  await request.waitFor({ state: 'hidden' });

  await page.keyboard.press('Control+k');
  await page.getByLabel('Command palette').fill('model providers');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Add a provider' }).click();
  await page.getByRole('menuitem', { name: 'Ollama' }).click();
  const provider = page.getByRole('form', { name: 'Model provider' });
  await provider.getByLabel('Name').fill('Local');
  await provider.getByLabel('Base URL').fill(modelsAddress.replace('/v1', '/open/v1'));
  await provider.getByLabel('Default model').fill('script');
  await page.keyboard.press('Tab');
  await provider.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('list', { name: 'Model providers' }).getByText('Local').waitFor();
  await page.keyboard.press('Escape');
  const mode = page.getByRole('radiogroup', { name: 'Mode' });
  await mode.getByRole('radio', { name: 'Chat' }).click();
  await page.getByRole('button', { name: 'Start a conversation' }).click();
  const message = page.getByRole('textbox', { name: 'Message' });
  await message.fill('call convert {"value":21.5,"from":"celsius","to":"fahrenheit"}');
  await page.keyboard.press('Control+Enter');
  const first = page.getByRole('region', { name: /Call to convert/ });
  await first.getByRole('button', { name: 'Run once' }).click();
  await first.getByText('Done').waitFor();
  await message.fill('call create_user {"name":"Ada"}');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('region', { name: /Call to create_user/ }).getByText('Waiting for you').waitFor();
  await theme('Dark');
  await shoot('chat-dark');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await mode.getByRole('radio', { name: 'Explore' }).click();

  await theme('Light');
  const answer = page.getByRole('listbox', { name: 'Traffic' }).getByRole('option');
  await answer.filter({ hasText: 'tools/call' }).filter({ hasText: 'response' }).first().click();
  await page.getByRole('region', { name: 'Record' }).getByRole('textbox').first().waitFor();
  await shoot('traffic-light');

  await theme('Dark');
  await page.getByRole('button', { name: 'Add server' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add a server' });
  await dialog.getByLabel('Paste anything').fill('weather-server --config ./weather.toml');
  await dialog.getByText('Command', { exact: true }).waitFor();
  await page.waitForFunction(() => [...document.querySelectorAll('[role=dialog] input')].some((input) => input.value === 'weather-server'));
  await dialog.getByRole('button', { name: 'Save and connect' }).click();
  await page.getByText('Failed at').waitFor();
  await shoot('failed-dark');

  await page.getByRole('button', { name: 'Add server' }).first().click();
  await dialog.getByText('URL (HTTP)').click();
  await dialog.getByLabel('Name', { exact: true }).fill('tracker');
  await dialog.getByLabel('URL', { exact: true }).fill(guardedAddress);
  await dialog.getByRole('button', { name: 'Save and connect' }).click();
  // Consent is given at once, and the redirect leads back to Patchbay.
  await page.request.get(await page.getByLabel('Authorization URL').innerText());
  const status = page.getByTestId('authorization-status').getByRole('status');
  await status.getByText('Authorized').waitFor();
  const vault = page.getByRole('dialog', { name: 'Where should secrets be stored?' });
  await vault.getByRole('radio', { name: 'In memory only' }).check();
  await vault.getByRole('button', { name: 'Continue' }).click();
  await vault.waitFor({ state: 'hidden' });
  await page.getByRole('radiogroup', { name: 'Side view' }).getByText('Sequence').click();
  await shoot('authorization-dark');
} finally {
  await browser.close();
  guarded.stdin.end();
  models.stdin.end();
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
  await rm(folder, { recursive: true, force: true });
}
