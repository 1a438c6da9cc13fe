import { expect, keyedServer, test } from '../httpServer.ts';

test('a failure shows the step, the cause, the rule, the next action and its exchange', async ({ app, oauth }) => {
  const server = await oauth('wrong-issuer');
  await app.addByUrl('guarded', server.url);
  await expect(app.authorizationStatus).toHaveText('Failed at: Server metadata');
  const step = app.page.getByRole('region', { name: 'Server metadata', exact: true });
  const failure = step.getByRole('alert');
  await expect(failure).toContainText('issuer');
  await expect(failure.getByRole('link', { name: /RFC 8414/ }).or(failure.getByRole('button', { name: /RFC 8414/ }))).toBeVisible();
  await expect(failure).toContainText('What to do');
  await failure.getByRole('button', { name: /^#\d+$/ }).click();
  await expect(app.record).toContainText('/.well-known/oauth-authorization-server');
  await expect(step.getByRole('button', { name: 'Retry from here' })).toBeVisible();
});

test('the page in the browser escapes text from servers', async ({ app, oauth }) => {
  const server = await oauth('injection');
  await app.addByUrl('guarded', server.url);
  await expect(app.authorizationStatus).toHaveText('Waiting for you');
  const browser = await app.openAuthorization();
  await expect(browser.locator('body')).toContainText('server_error');
  await expect(browser).not.toHaveTitle('injected');
  await expect(browser.locator('script, img')).toHaveCount(0);
  expect(browser.url()).toMatch(/^http:\/\/localhost:\d+\/callback/);
  await expect(app.authorizationStatus).toHaveText('Failed at: Authorization');
  await expect(app.page).toHaveTitle(/Patchbay/);
});

test('a client is entered where registration is not supported', async ({ app, oauth }) => {
  const server = await oauth('no-registration');
  await app.addByUrl('guarded', server.url);
  const form = app.page.getByRole('form', { name: 'Client registration' });
  await form.getByLabel('Client ID', { exact: true }).fill('known-client');
  await form.getByLabel('Client secret', { exact: true }).fill('known-secret-0123456789');
  await form.getByRole('button', { name: /Continue|Use/ }).click();
  await expect(app.authorizationStatus).toHaveText('Waiting for you');
  await app.openAuthorization();
  await expect(app.server('guarded', 'Ready')).toBeVisible();
});

test('one of several authorization servers is chosen', async ({ app, oauth }) => {
  const server = await oauth('two-servers');
  await app.addByUrl('guarded', server.url);
  const form = app.page.getByRole('form', { name: 'Choose an authorization server' });
  await form.getByRole('radio').nth(1).check();
  await form.getByRole('button', { name: 'Continue' }).click();
  await expect(app.page.getByLabel('Authorization URL')).toBeVisible();
  await app.openAuthorization();
  await expect(app.server('guarded', 'Ready')).toBeVisible();
});

test('a browser on another machine: the address of its last page is pasted', async ({ app, oauth, request }) => {
  const server = await oauth('fair');
  await app.addByUrl('guarded', server.url);
  const address = await app.page.getByLabel('Authorization URL').innerText();
  const ended = await request.get(address, { maxRedirects: 0 });
  await app.page.getByLabel('Browser on another machine?').fill(ended.headers()['location'] ?? '');
  await app.page.getByRole('button', { name: 'Submit' }).click();
  await expect(app.server('guarded', 'Ready')).toBeVisible();
  await expect(app.authorizationStatus).toHaveText('Authorized');
});

test('a cancelled run says so and can be restarted', async ({ app, oauth }) => {
  const server = await oauth('fair');
  await app.addByUrl('guarded', server.url);
  await expect(app.authorizationStatus).toHaveText('Waiting for you');
  await app.authorization.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(app.authorizationStatus).toHaveText('Cancelled');
  // The client registration must be stored already.
  await app.keepSecretsInMemory();
  await app.page.getByRole('button', { name: 'Authorize', exact: true }).click();
  await expect(app.authorizationStatus).toHaveText('Waiting for you');
  await app.openAuthorization();
  await expect(app.authorizationStatus).toHaveText('Authorized');
  await expect(app.server('guarded', 'Ready')).toBeVisible();
});

test('a 401 without anything about OAuth: an API key as a header is named', async ({ app }) => {
  const server = await keyedServer();
  await app.addByUrl('keyed', server.url);
  await expect(app.authorizationStatus).toContainText('Failed at');
  await expect(app.page.getByRole('alert').filter({ hasText: 'What to do' })).toContainText('add it as a header');
  server.end();
});
