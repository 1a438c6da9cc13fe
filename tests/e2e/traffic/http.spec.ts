import { execFileSync } from 'node:child_process';
import type { Locator } from '@playwright/test';
import { expect, refusedPort, test } from '../httpServer.ts';

test('a pasted URL selects the transport, connects, and shows the protocol', async ({ app, http }) => {
  const server = await http('legacy');
  await app.page.getByRole('button', { name: 'Add server' }).first().click();
  const dialog = app.page.getByRole('dialog', { name: 'Add a server' });
  await dialog.getByLabel('Paste anything').fill(server.url);
  await expect(dialog.getByLabel('URL', { exact: true })).toHaveValue(server.url);
  await expect(dialog.getByRole('radio', { name: 'URL (HTTP)' })).toBeChecked();
  await dialog.getByLabel('Name', { exact: true }).fill('remote');
  await dialog.getByRole('button', { name: 'Save and connect' }).click();
  await expect(app.server('remote', 'Ready')).toBeVisible();
  await expect(app.toolRows.filter({ hasText: 'echo' }).first()).toBeVisible();
  await app.page.getByRole('tab', { name: 'Info' }).click();
  const facts = app.page.getByRole('region', { name: 'HTTP' });
  await expect(facts).toContainText(server.url);
  await expect(facts).toContainText('Streamable HTTP');
  await expect(app.page.getByRole('button', { name: 'Forget detected era' })).toBeVisible();
});

/** A header that is a secret. */
async function withToken(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Add header' }).click();
  await dialog.getByLabel('Name of header 1').fill('Authorization');
  await dialog.getByLabel('Value of header 1').fill('Bearer a-secret-of-mine-6789');
}

test('headers are stored, masked, and sent', async ({ app, http }) => {
  const server = await http('legacy');
  await app.addByUrl('remote', server.url, withToken, true);
  await expect(app.server('remote', 'Ready')).toBeVisible();
  await app.traffic.getByRole('button', { name: 'HTTP', exact: true }).click();
  await app.trafficRows.filter({ hasText: 'POST' }).first().click();
  await app.record.getByText('Headers', { exact: true }).click();
  const sent = app.record.getByRole('table', { name: 'Request headers' });
  await expect(sent.getByRole('row', { name: /^authorization/i })).toContainText('6789');
  await expect(sent).not.toContainText('a-secret-of-mine');
  await app.serverMenu('remote', 'Edit…');
  const dialog = app.page.getByRole('dialog', { name: 'Edit remote' });
  await expect(dialog.getByLabel('Value of header 1')).not.toHaveValue(/a-secret-of-mine/);
  await expect(dialog.getByLabel('Value of header 1')).toHaveAttribute('type', 'password');
});

test('a copy of a server has its secret, even after the original is removed', async ({ app, http }) => {
  const server = await http('legacy');
  await app.addByUrl('remote', server.url, withToken, true);
  await expect(app.server('remote', 'Ready')).toBeVisible();
  await app.serverMenu('remote', 'Duplicate');
  await expect(app.server('remote 2', 'Not connected')).toHaveAttribute('aria-selected', 'true');
  await app.serverMenu('remote', 'Remove…');
  await app.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(app.server('remote', 'Ready')).toHaveCount(0);
  await app.serverMenu('remote 2', 'Connect');
  await expect(app.server('remote 2', 'Ready')).toBeVisible();
});

test('an exchange shows its heads, its timing and its messages, with links back', async ({ app, http }) => {
  const server = await http('legacy');
  await app.addByUrl('remote', server.url);
  await app.selectTool('streamed');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  const call = app.trafficRows.filter({ hasText: 'tools/call' }).filter({ hasText: 'request' });
  await call.click();
  const carried = app.record.getByText('in HTTP exchange');
  await carried.getByRole('button').click();
  await expect(app.record).toContainText(`POST ${server.url}`);
  await expect(app.record).toContainText('200');
  await expect(app.record.getByRole('table', { name: 'Timing' }).getByRole('rowheader', { name: 'Total' })).toBeVisible();
  await app.record.getByText('Stages', { exact: true }).click();
  await expect(app.record.getByRole('table', { name: 'Stages' })).toContainText('SSE comment');
  await app.record.getByText('Headers', { exact: true }).click();
  await expect(app.record.getByRole('table', { name: 'Response headers' })).toContainText('text/event-stream');
  await app.record.getByText('Summary', { exact: true }).click();
  await app.record.getByRole('listitem').filter({ hasText: 'request tools/call' }).getByRole('button').click();
  await expect(app.record.getByText('in HTTP exchange')).toBeVisible();
});

/** The words of a command line, as a shell splits it. */
function shellWords(line: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${line}`;
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

test('a call copied for curl is the request that was sent', async ({ app, http }) => {
  const server = await http('modern');
  await app.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await app.addByUrl('remote', server.url);
  await app.selectTool('echo');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
  await app.page.getByRole('button', { name: 'Copy as' }).click();
  await app.page.getByRole('menuitem', { name: 'cURL (secrets masked)' }).click();
  await expect(app.page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const words = shellWords(await app.page.evaluate(() => navigator.clipboard.readText()));
  const after = (option: string): string[] => words.flatMap((word, at) => (word === option ? [words[at + 1] ?? ''] : []));
  expect(after('--request')).toEqual(['POST']);
  expect(words).toContain(server.url);
  // The same request from another client is answered.
  const headers = after('--header').map((header): [string, string] => {
    const colon = header.indexOf(':');
    return [header.slice(0, colon), header.slice(colon + 1).trim()];
  });
  const [body] = after('--data-raw');
  const again = await fetch(server.url, { method: 'POST', headers, body });
  expect(again.status).toBe(200);
  expect(await again.text()).toContain('"result"');
});

test('a closed port: the failure shows the step, the doctor shows every step', async ({ app }) => {
  const port = await refusedPort();
  await app.addByUrl('refused', `http://127.0.0.1:${port}/mcp`);
  await expect(app.server('refused', 'Failed')).toBeVisible();
  await app.page.getByRole('button', { name: 'Diagnose' }).click();
  const doctor = app.page.getByRole('dialog', { name: 'Diagnose refused' });
  const steps = doctor.getByRole('list', { name: 'Steps' }).getByRole('listitem');
  const failed = steps.filter({ hasText: 'failed' });
  await expect(failed).toHaveCount(1);
  await expect(failed).toContainText(`127.0.0.1:${port}`);
  await expect(failed).toContainText('What to do');
  await expect(steps.filter({ hasText: 'skipped' }).first()).toBeVisible();
  await expect(doctor.getByRole('status')).toContainText('Failed:');
  await app.page.keyboard.press('Escape');
  await expect(doctor).toBeHidden();
  await app.serverMenu('refused', 'Diagnose…');
  await expect(doctor).toBeVisible();
});
