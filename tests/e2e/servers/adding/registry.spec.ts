import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '../../patchbay.ts';

const DOCUMENT = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: 'io.github.ada/weather',
  title: 'Weather',
  description: 'Says how it is outside.',
  version: '1.2.0',
  packages: [
    { registryType: 'mcpb', identifier: 'https://example.com/weather.mcpb', fileSha256: 'ab', transport: { type: 'stdio' } },
    {
      registryType: 'npm',
      runtimeHint: 'node',
      identifier: './no-such-package',
      transport: { type: 'stdio' },
      packageArguments: [{ type: 'named', name: '--units', choices: ['metric', 'imperial'], default: 'metric' }],
      environmentVariables: [{ name: 'API_CODE', description: 'Of the service', isRequired: true, isSecret: true }],
    },
  ],
  remotes: [
    {
      type: 'streamable-http',
      url: 'http://127.0.0.1:9/{tenant}/mcp',
      variables: { tenant: { description: 'Yours', isRequired: true } },
      headers: [{ name: 'X-Trace', description: 'Optional' }],
    },
  ],
};

test('a server.json is read from what is pasted, and one of its ways is filled in and added', async ({ app }) => {
  await app.page.getByRole('button', { name: 'Add server' }).first().click();
  await app.page.getByRole('dialog', { name: 'Add a server' }).getByLabel('Paste anything').fill(JSON.stringify(DOCUMENT));
  const dialog = app.page.getByRole('dialog', { name: 'Add a server from server.json' });
  await expect(dialog.getByRole('heading', { name: 'Weather 1.2.0' })).toBeVisible();
  // The first that can be added is chosen; the others say why not.
  await expect(dialog.getByRole('radio', { name: /^npm:/ })).toBeChecked();
  await expect(dialog.getByText('node ./no-such-package --units {--units}')).toBeVisible();
  await dialog.getByRole('radio', { name: /^mcpb:/ }).check();
  await expect(dialog.getByRole('alert')).toContainText('Download https://example.com/weather.mcpb');
  await expect(dialog.getByRole('button', { name: 'Add', exact: true })).toBeDisabled();

  await dialog.getByRole('radio', { name: /^npm:/ }).check();
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog).toBeVisible();
  await dialog.getByLabel(/^API_CODE/).fill('c0de-of-ada');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await app.keepSecretsInMemory();
  await expect(dialog).toHaveCount(0);
  await expect(app.server('Weather')).toBeVisible();
});

test('a server.json is read from a URL, once, when the user says so', async ({ app }) => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.setHeader('Content-Type', 'application/json');
    const old = { server: { ...DOCUMENT, version: '1.0.0' }, _meta: { 'io.modelcontextprotocol.registry/official': { status: 'deprecated' } } };
    response.end(JSON.stringify({ servers: [{ server: DOCUMENT }, old] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v0.1/servers/weather/versions`;
  await app.page.getByRole('button', { name: 'Add server' }).first().click();
  const add = app.page.getByRole('dialog', { name: 'Add a server' });
  await add.getByLabel('Paste anything').fill(url);
  await add.getByRole('button', { name: 'Read server.json from this URL' }).click();
  const dialog = app.page.getByRole('dialog', { name: 'Add a server from server.json' });
  await dialog.getByRole('combobox', { name: '2 servers or versions' }).click();
  await app.page.getByRole('option', { name: 'io.github.ada/weather 1.0.0' }).click();
  await expect(dialog.getByText('The registry calls it deprecated')).toBeVisible();
  await dialog.getByRole('radio', { name: /^HTTP:/ }).check();
  await dialog.getByLabel(/^tenant/).fill('eu');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(app.server('Weather')).toBeVisible();
  expect(requests).toBe(1);
  server.close();
});

test('an address without a server.json says why', async ({ app }) => {
  await expect(app.welcome).toBeVisible();
  await app.page.keyboard.press('ControlOrMeta+k');
  const palette = app.page.getByLabel('Command palette');
  await expect(palette).toBeFocused();
  await palette.fill('server.json');
  await app.page.keyboard.press('Enter');
  const dialog = app.page.getByRole('dialog', { name: 'Add a server from server.json' });
  await dialog.getByLabel('URL of server.json').fill('server.json');
  await dialog.getByRole('button', { name: 'Read' }).click();
  await expect(dialog.getByText('Enter an http or https address, or choose a file.')).toBeVisible();
  await dialog.getByLabel('URL of server.json').fill('http://127.0.0.1:9/server.json');
  await dialog.getByRole('button', { name: 'Read' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Reading server.json failed');
  await dialog.getByRole('button', { name: 'Choose another…' }).click();
  await expect(dialog.getByLabel('URL of server.json')).toBeVisible();
});
