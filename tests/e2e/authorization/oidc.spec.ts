import type { Page } from '@playwright/test';
import { type HttpServer, expect, test } from '../httpServer.ts';
import { addModel, begin, send } from '../chat/steps.ts';
import type { Screen } from '../screen.ts';

/** Signs in, if the provider asks who this is, and agrees. */
async function consent(app: Screen, scopes: string[], signIn: boolean): Promise<Page> {
  const browser = await app.openAuthorization();
  if (signIn) {
    await browser.getByPlaceholder('Enter any login').fill('ada');
    await browser.getByPlaceholder('and password').fill('lovelace');
    await browser.getByRole('button', { name: 'Sign-in' }).click();
  }
  for (const scope of scopes) await expect(browser.getByRole('listitem').filter({ hasText: scope }).first()).toBeVisible();
  await browser.getByRole('button', { name: 'Continue' }).click();
  await browser.waitForURL(/^http:\/\/localhost:/);
  return browser;
}

/** A protected server that is connected with the consent of a user. */
async function connect(app: Screen, server: HttpServer): Promise<Page> {
  await app.addByUrl('guarded', server.url);
  // It opens automatically.
  await expect(app.authorizationStatus).toHaveText('Waiting for you');
  await expect(app.inboxCount).toHaveText('1');
  const browser = await consent(app, ['mcp:read'], true);
  await app.keepSecretsInMemory();
  await expect(app.server('guarded', 'Ready')).toBeVisible();
  return browser;
}

async function call(app: Screen, tool: string, args: string): Promise<void> {
  await app.show('Explore');
  await app.selectTool(tool);
  await app.writeArguments(args);
  await app.callTool();
}

/** `calls`: how many calls of the tool there are then. The result of the one before is in view until this one has begun. */
async function sum(app: Screen, calls = '1 call'): Promise<void> {
  await call(app, 'get-sum', '{"a": 40, "b": 2}');
  await expect(app.arguments.getByRole('button', { name: calls, exact: true })).toBeVisible();
  await expect(app.resultStatus).toHaveText('Result');
  await expect(app.result).toContainText('42');
}

/** Which requests came in, with which token. */
async function seen(server: HttpServer): Promise<string[]> {
  return (await (await fetch(new URL('/seen', server.url))).json()) as string[];
}

test('connect, call, expire, refresh with rotation, step up, forget', async ({ app, oidc }) => {
  const server = await oidc();
  const page = await connect(app, server);
  await expect(page.locator('body')).toContainText(/Patchbay/);
  await sum(app);
  expect(await seen(server)).toContain('POST tools/call get-sum [token 1]');

  await app.showToken();
  const token = app.page.getByRole('region', { name: 'Access token' });
  await expect(token).toContainText(server.url);
  await expect(app.page.getByRole('region', { name: 'Token contents' })).toContainText('"sub": "ada"');
  await token.getByRole('button', { name: 'Expire now' }).click();
  await expect(app.authorizationStatus).toContainText('Token expired');
  await sum(app, '2 calls');
  expect(await seen(server)).toContain('POST tools/call get-sum [token 2]');

  // The provider takes each refresh token once: a second refresh shows that the new one was kept.
  await app.showToken();
  const refresh = token.getByRole('button', { name: 'Refresh now' });
  await refresh.click();
  // It cannot be pressed until the new token is there.
  await expect(refresh).toBeEnabled();
  await expect(app.authorizationStatus).toHaveText('Authorized');
  await sum(app, '3 calls');
  expect(await seen(server)).toContain('POST tools/call get-sum [token 3]');

  await call(app, 'get-tiny-image', '{}');
  await expect(app.authorizationStatus).toHaveText('Waiting for you');
  await consent(app, ['mcp:write'], false);
  await expect(app.authorizationStatus).toHaveText('Authorized');
  await expect(app.page.getByRole('list', { name: 'Granted scopes' })).toHaveText('mcp:readmcp:write');
  await app.show('Explore');
  await expect(app.resultStatus).toHaveText('Result');
  const calls = (await seen(server)).filter((line) => line.includes('get-tiny-image'));
  expect(calls).toEqual([
    'POST tools/call get-tiny-image [token 3] 403',
    'POST tools/call get-tiny-image [token 4]',
  ]);

  await app.showToken();
  await token.getByRole('button', { name: 'Forget…' }).click();
  await app.page.getByRole('dialog').getByRole('button', { name: 'Revoke and forget' }).click();
  await expect(app.authorizationStatus).toHaveText('No token');
  await call(app, 'get-sum', '{"a": 1, "b": 1}');
  await expect(app.authorizationStatus).toHaveText('Waiting for you');
});

test('a call in a conversation that needs more scopes says so, and goes on when they are granted', async ({ app, oidc, models }) => {
  const provider = await models('any');
  const server = await oidc();
  await connect(app, server);
  await addModel(app, provider.url, 'script');
  await begin(app);
  const { page } = app;
  await send(page, 'call get-tiny-image {}');
  await page.getByRole('button', { name: 'Run once' }).click();
  const running = page.getByRole('region', { name: 'Call to get-tiny-image: Running' });
  await expect(running).toContainText('guarded needs authorization');
  // The conversation stays in view until the user leaves it.
  await running.getByRole('button', { name: 'Show authorization' }).click();
  await expect(app.authorizationStatus).toHaveText('Waiting for you');
  await consent(app, ['mcp:write'], false);
  await expect(app.authorizationStatus).toHaveText('Authorized');
  await page.getByRole('radiogroup', { name: 'Mode' }).getByRole('radio', { name: 'Chat' }).click();
  await expect(page.getByRole('region', { name: 'Call to get-tiny-image: Done' })).toBeVisible();
});

test('an expired token is refreshed automatically', async ({ app, oidc }) => {
  const server = await oidc('10');
  await connect(app, server);
  await sum(app);
  const before = (await seen(server)).length;
  await app.show('Authorization');
  await expect(app.authorizationStatus).toContainText('Token expired');
  await sum(app, '2 calls');
  const since = (await seen(server)).slice(before).filter((line) => line.includes('get-sum'));
  expect(since).toHaveLength(1);
  expect(since[0]).not.toContain('401');
});

test('every request shows its token, masked, and only requests to the server carry it', async ({ app, oidc }) => {
  const server = await oidc();
  await connect(app, server);
  await sum(app);
  await app.traffic.getByRole('button', { name: 'HTTP', exact: true }).click();
  // The rows of before stay until the first of the new ones are there.
  await expect(app.trafficRows.filter({ hasNot: app.page.getByText('http', { exact: true }) })).toHaveCount(0);
  const carried = app.trafficRows.filter({ hasText: 'POST' }).filter({ hasText: server.url }).last();
  await carried.click();
  await app.record.getByText('Headers', { exact: true }).click();
  const sent = app.record.getByRole('table', { name: 'Request headers' });
  const header = sent.getByRole('row', { name: /^authorization/i });
  await expect(header).toBeVisible();
  await expect(header).not.toContainText('eyJ');
});
