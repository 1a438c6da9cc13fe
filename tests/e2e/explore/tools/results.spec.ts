import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '../../patchbay.ts';
import type { Screen } from '../../screen.ts';

/** Copies the shown result in one of the forms. */
async function copied(app: Screen, form: string): Promise<string> {
  await app.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await app.page.getByRole('button', { name: 'Copy as' }).click();
  await app.page.getByRole('menuitem', { name: form }).click();
  await expect(app.page.getByRole('button', { name: 'Copied' })).toBeVisible();
  return app.page.evaluate(() => navigator.clipboard.readText());
}

/** Runs a copied command line as a person does who has `patchbay` on the PATH. */
function run(line: string, folder: string): string {
  const programs = mkdtempSync(join(tmpdir(), 'patchbay-path-'));
  try {
    symlinkSync(process.env.PATCHBAY_BIN ?? '', join(programs, 'patchbay'));
    const env = { ...process.env, PATH: `${programs}:${process.env.PATH}` };
    const own = line.replace('patchbay ', `patchbay --data-dir '${folder}' `);
    return execFileSync('/bin/sh', ['-c', own], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } finally {
    rmSync(programs, { recursive: true });
  }
}

test('the copied command line runs and prints the same result', async ({ app, patchbay }) => {
  await app.connectDemo();
  await app.selectTool('greet');
  await app.writeArguments(`{"name": "O'Brien $HOME \\"x\\" \\\\ \`id\`"}`);
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  const line = await copied(app, 'Command line');
  await expect(app.page.getByRole('button', { name: 'Copy as' })).toBeVisible();
  const shown = await copied(app, 'Result (JSON as received)');
  expect(shown).toContain("O'Brien $HOME");
  const { content } = JSON.parse(run(line, patchbay.folder)) as { content: unknown };
  expect(content).toEqual((JSON.parse(shown) as { content: unknown }).content);
});

test('the JSON-RPC request and the Markdown report hold what was sent and received', async ({ app }) => {
  await app.connectDemo();
  await app.selectTool('add');
  await app.writeArguments('{"a": 9007199254740993, "b": 1}');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  const request = await copied(app, 'JSON-RPC request');
  expect(JSON.parse(request)).toMatchObject({ jsonrpc: '2.0', method: 'tools/call', params: { name: 'add' } });
  expect(request).toContain('9007199254740993');
  await expect(app.page.getByRole('button', { name: 'Copy as' })).toBeVisible();
  const report = await copied(app, 'Markdown report');
  expect(report).toMatch(/^## `add`\n/);
  expect(report).toContain('9007199254740994');
});

test('a problem of the structured content leads to its place', async ({ app }) => {
  await app.connectDemo();
  await app.selectTool('wrong_structure');
  await app.callTool();
  const structured = app.result.getByRole('region', { name: 'Structured content', exact: true }).first();
  const problem = structured.getByRole('list', { name: 'Mismatches with the output schema' }).getByRole('listitem').first();
  const pointer = await problem.getByRole('button').innerText();
  await expect(structured.locator('.cm-lint-marker-error').first()).toBeVisible();
  await problem.getByRole('button').click();
  const whole = JSON.parse(await structured.locator('.cm-content').evaluate((node) => (node as HTMLElement).innerText)) as unknown;
  const value = pointer
    .split('/')
    .slice(1)
    .reduce((at, step) => (at as Record<string, unknown>)[step], whole);
  await expect(async () => {
    const selected = await app.page.evaluate(() => getSelection()?.toString() ?? '');
    expect(JSON.parse(selected)).toEqual(value);
  }).toPass();
});

test('an image is zoomed by keys', async ({ app }) => {
  await app.connectDemo();
  await app.selectTool('picture');
  await app.callTool();
  const image = app.result.locator('img').first();
  await expect.poll(() => image.evaluate((node: HTMLImageElement) => node.naturalWidth)).toBe(128);
  await app.result.getByRole('group', { name: /^Image/ }).focus();
  await app.page.keyboard.press('+');
  await expect.poll(async () => (await image.boundingBox())?.width).toBe(192);
  await app.page.keyboard.press('1');
  await expect.poll(async () => (await image.boundingBox())?.width).toBe(128);
});
