import { readFile, readdir } from 'node:fs/promises';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { networkInterfaces } from 'node:os';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type Patchbay, expect, test } from './patchbay.ts';
import { Screen } from './screen.ts';

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A request that no browser would allow a page to send. A successful upgrade counts as 101. */
function ask(
  patchbay: Patchbay,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = options;
    const request = httpRequest({ host: '127.0.0.1', port: patchbay.port, path, method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: '' });
    });
    request.on('error', reject);
    request.end(body);
  });
}

function exchange(patchbay: Patchbay, token: string, headers: Record<string, string> = {}): Promise<Answer> {
  return ask(patchbay, '/session', {
    method: 'POST',
    headers: { Origin: patchbay.origin, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ token }),
  });
}

const UPGRADE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

function cookieOf(answer: Answer): string {
  return answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

test('prints the address alone on its first line', ({ patchbay }) => {
  expect(patchbay.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[A-Za-z0-9_-]{22,}$/);
});

test('listens on the loopback only', async ({ patchbay }) => {
  const others = Object.values(networkInterfaces())
    .flat()
    .filter((face) => face !== undefined && !face.internal && face.family === 'IPv4')
    .map((face) => face?.address ?? '');
  const answers = (host: string) =>
    new Promise<boolean>((resolve) => {
      const socket = connect({ host, port: patchbay.port });
      const ended = (connected: boolean) => {
        socket.destroy();
        resolve(connected);
      };
      socket.once('connect', () => ended(true)).once('error', () => ended(false));
      // An address that this system does not have may say nothing at all.
      socket.setTimeout(5_000, () => ended(false));
    });
  expect(await answers('127.0.0.1')).toBe(true);
  // One that listens on every address answers there, also on a machine without a network.
  for (const host of ['127.0.0.2', ...others]) expect(await answers(host), `${host} answers`).toBe(false);
});

test('the page exchanges the token for a cookie and clears the fragment', async ({ app, patchbay, context }) => {
  await expect(app.page).toHaveTitle(/Patchbay/);
  await expect.poll(() => new URL(app.page.url()).hash).toBe('');
  expect(await app.page.evaluate(() => history.length)).toBeLessThanOrEqual(2);
  await expect.poll(async () => (await context.cookies()).length).toBe(1);
  const [cookie] = await context.cookies();
  expect(cookie).toMatchObject({ name: `patchbay_${patchbay.port}`, httpOnly: true, sameSite: 'Strict', path: '/' });
  expect(cookie?.value).not.toContain(patchbay.token);
});

test('a reload keeps the session', async ({ app }) => {
  const first = app.connectDemoButton;
  await expect(first).toBeVisible();
  await app.page.reload();
  await expect(first).toBeVisible();
});

test('a second page without the token is refused, though it shares the cookie', async ({ app, patchbay, context }) => {
  await expect(app.connectDemoButton).toBeVisible();
  const second = await context.newPage();
  await second.goto(patchbay.origin);
  await expect(second.getByText('This page was not opened with its link')).toBeVisible();
});

test('the link can be opened again in the same browser', async ({ app, patchbay, context }) => {
  await expect(app.connectDemoButton).toBeVisible();
  const second = await context.newPage();
  await second.goto(patchbay.address);
  await expect(new Screen(second).connectDemoButton).toBeVisible();
});

test('the token works once, and then only with the cookie it was exchanged for', async ({ patchbay }) => {
  const first = await exchange(patchbay, patchbay.token);
  expect(first.status).toBe(200);
  expect(JSON.parse(first.body)).toHaveProperty('page');
  expect(first.headers['set-cookie']?.[0]).toMatch(/HttpOnly.*SameSite=Strict|SameSite=Strict.*HttpOnly/);
  const stranger = await exchange(patchbay, patchbay.token);
  expect(stranger.status).toBe(401);
  expect(JSON.parse(stranger.body)).toMatchObject({ code: expect.any(String), message: expect.any(String) });
  const again = await exchange(patchbay, patchbay.token, { Cookie: cookieOf(first) });
  expect(again.status).toBe(200);
});

test('a wrong token is refused', async ({ patchbay }) => {
  expect((await exchange(patchbay, 'x'.repeat(patchbay.token.length))).status).toBe(401);
  expect((await exchange(patchbay, '')).status).toBe(401);
});

test('a foreign Host is refused', async ({ patchbay }) => {
  for (const host of ['evil.example', `evil.example:${patchbay.port}`, '127.0.0.1:1', 'localhost']) {
    expect((await ask(patchbay, '/', { headers: { Host: host } })).status, host).toBe(403);
  }
  expect((await ask(patchbay, '/', { headers: { Host: `localhost:${patchbay.port}` } })).status).toBe(200);
});

test('a foreign Origin is refused', async ({ patchbay }) => {
  const cookie = cookieOf(await exchange(patchbay, patchbay.token));
  for (const origin of ['https://evil.example', 'null', `https://127.0.0.1:${patchbay.port}`, 'http://127.0.0.1']) {
    const post = await exchange(patchbay, patchbay.token, { Origin: origin, Cookie: cookie });
    expect(post.status, `POST from ${origin}`).toBe(403);
    const socket = await ask(patchbay, '/ws', { headers: { ...UPGRADE, Origin: origin, Cookie: cookie } });
    expect(socket.status, `socket from ${origin}`).toBe(403);
  }
  const socket = await ask(patchbay, '/ws', { headers: { ...UPGRADE, Origin: patchbay.origin, Cookie: cookie } });
  expect(socket.status).toBe(101);
});

test('without the cookie there is no socket and no body', async ({ patchbay }) => {
  const socket = await ask(patchbay, '/ws', { headers: { ...UPGRADE, Origin: patchbay.origin } });
  expect(socket.status).toBe(401);
  expect((await ask(patchbay, '/body/x')).status).toBe(401);
});

test('a socket with the cookie and a wrong page is closed with 4401', async ({ app }) => {
  await expect(app.connectDemoButton).toBeVisible();
  const code = await app.page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const socket = new WebSocket(`ws://${location.host}/ws`);
        socket.onopen = () => socket.send(JSON.stringify({ page: 'wrong' }));
        socket.onclose = (event) => resolve(event.code);
      }),
  );
  expect(code).toBe(4401);
});

test('pages have strict headers', async ({ patchbay }) => {
  const page = await ask(patchbay, '/');
  expect(page.headers['content-security-policy']).toMatch(/default-src 'none'|default-src 'self'/);
  expect(page.headers['content-security-policy']).not.toContain('unsafe-eval');
  expect(page.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
});

test('no token in process arguments, files or a second line', async ({ app, patchbay }) => {
  await expect(app.connectDemoButton).toBeVisible();
  expect(await readFile(`/proc/${patchbay.pid}/cmdline`, 'utf8')).not.toContain(patchbay.token);
  expect(patchbay.lines.filter((line) => line.includes(patchbay.token))).toHaveLength(1);
  const files = await readdir(patchbay.folder, { recursive: true, withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile())) {
    // A file that is being replaced may be missing.
    const text = await readFile(join(file.parentPath, file.name), 'latin1').catch(() => '');
    expect(text.includes(patchbay.token), file.name).toBe(false);
  }
});

test('the page loads without an error on the console', async ({ app }) => {
  await expect(app.connectDemoButton).toBeVisible();
  const errors: string[] = [];
  app.page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await app.page.reload();
  await expect(app.connectDemoButton).toBeVisible();
  expect(errors).toEqual([]);
});

test('the benchmarks find what they measure', async ({ browser }) => {
  // They run by hand only, and would otherwise be found broken when somebody needs a number.
  const measure = await import(new URL('../bench/measure.mjs', import.meta.url).href);
  const { address, end } = await measure.serve(measure.benchServer(3));
  try {
    const page = await measure.openConnected(browser, address);
    const call = await measure.prepareCall(page, 'echo', '{"text":"measured"}');
    const took = await measure.untilSeen(page, call, { selector: 'section[aria-label="Result"]', text: 'measured' });
    expect(took).toBeGreaterThan(0);
    const { rows } = await measure.engine(page, 'traffic_rows', { filter: 'tools/call', offset: 0, limit: 10 });
    expect(rows.length).toBeGreaterThan(0);
    await page.close();
  } finally {
    await end();
  }
});
