import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '../patchbay.ts';

/** A proxy that lets no connection through: without the right password it says 407, with it 502. What it was asked, in order. */
async function refusingProxy() {
  const asked: string[] = [];
  const right = `Basic ${Buffer.from('ada:c0rrect-h0rse').toString('base64')}`;
  const status = (authorization: string | undefined) => (authorization === right ? '502 Bad Gateway' : '407 Proxy Authentication Required');
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(Number(status(request.headers['proxy-authorization']).slice(0, 3)), { 'Proxy-Authenticate': 'Basic realm="x"' }).end();
  });
  server.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    socket.end(`HTTP/1.1 ${status(request.headers['proxy-authorization'])}\r\nProxy-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { asked, port, close: () => server.close() };
}

test('the proxy of the settings is used, and a failure of it is not taken for one of the server', async ({ app, patchbay }) => {
  const proxy = await refusingProxy();
  await expect(app.welcome).toBeVisible();
  await app.page.keyboard.press('ControlOrMeta+Comma');
  const settings = app.page.getByRole('dialog', { name: 'Settings' });
  const row = settings.getByRole('group', { name: 'Proxy', exact: true });
  await row.getByRole('radio', { name: 'Manual' }).check();
  await row.getByRole('textbox', { name: 'URL' }).fill('proxy.example');
  await row.getByRole('button', { name: 'Save proxy' }).click();
  await expect(row.getByRole('alert')).toBeVisible();
  await row.getByRole('textbox', { name: 'URL' }).fill(`http://127.0.0.1:${proxy.port}`);
  await row.getByRole('button', { name: 'Save proxy' }).click();
  await expect(row.getByText('Used for new connections.')).toBeVisible();
  await app.page.keyboard.press('Escape');

  await app.addByUrl('far', 'https://mcp.example.test/mcp');
  await expect(app.page.getByText(/requires authentication/).first()).toBeVisible();
  expect(proxy.asked).toContain('CONNECT mcp.example.test:443');

  // With the right password the proxy is passed, and says that it cannot reach the server. The password is not in the log.
  await app.page.keyboard.press('ControlOrMeta+Comma');
  await row.getByRole('textbox', { name: 'User name' }).fill('ada');
  await row.getByRole('textbox', { name: 'Password' }).fill('c0rrect-h0rse');
  await row.getByRole('button', { name: 'Save proxy' }).click();
  await row.getByRole('button', { name: 'Open the vault…' }).click();
  await app.keepSecretsInMemory();
  await row.getByRole('button', { name: 'Save proxy' }).click();
  await expect(row.getByText('Used for new connections.')).toBeVisible();
  await expect(row.getByRole('textbox', { name: 'Password' })).toHaveAttribute('placeholder', 'In the vault');
  await app.page.keyboard.press('Escape');
  await app.page.getByRole('button', { name: /^(Connect|Reconnect)$/ }).first().click();
  await expect(app.page.getByText(/does not connect to mcp\.example\.test/).first()).toBeVisible();

  // It survives a restart, without its password, which was in memory only.
  await patchbay.restart();
  await app.page.goto(patchbay.address);
  await expect(app.server('far')).toBeVisible();
  await app.page.keyboard.press('ControlOrMeta+Comma');
  await expect(row.getByRole('textbox', { name: 'URL' })).toHaveValue(`http://127.0.0.1:${proxy.port}`);
  await row.getByRole('radio', { name: 'None' }).check();
  await expect(row.getByRole('textbox', { name: 'URL' })).toHaveCount(0);
  proxy.close();
});
