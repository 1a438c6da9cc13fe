import { type ChildProcess, spawn } from 'node:child_process';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test as base } from './patchbay.ts';

/** A server over HTTP that says its address on the first line and serves until its stdin ends, which is with the test. */
export class HttpServer {
  private constructor(
    private readonly child: ChildProcess,
    /** Where it listens, with its path. */
    readonly url: string,
  ) {}

  static async start(program: string, ...args: string[]): Promise<HttpServer> {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).once('line', resolve);
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`${program} ${args.join(' ')} ended with ${code}`)));
    });
    return new HttpServer(child, url);
  }

  /** What a person calls it when only its address was pasted. */
  get host(): string {
    return new URL(this.url).hostname;
  }

  /** It serves until its stdin ends. */
  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.stdin?.end();
    await gone;
  }
}

/** A port on which nothing listens. */
export async function refusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** A server that wants a key: 401 without a challenge at `/mcp`, and nothing else. */
export async function keyedServer(): Promise<{ url: string; end: () => void }> {
  const server = createHttpServer((request, response) => {
    response.statusCode = request.url === '/mcp' ? 401 : 404;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/mcp`, end: () => server.close() };
}

/** A server of the legacy era that offers nothing and calls itself “Weather of the world”. */
export async function titledServer(): Promise<{ url: string; end: () => void }> {
  const server = createHttpServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      const { id, method } = text === '' ? {} : (JSON.parse(text) as { id?: number; method?: string });
      if (id === undefined) return response.writeHead(request.method === 'POST' ? 202 : 405).end();
      const serverInfo = { name: 'weather', title: 'Weather of the world', version: '1' };
      const outcome =
        method === 'initialize'
          ? { result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo } }
          : { error: { code: -32601, message: 'Method not found' } };
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/mcp`, end: () => server.close() };
}

/** What `http` serves: a behaviour of the scripted server, a part of it behind its authorization servers, or a real one. */
type Start = (...args: string[]) => Promise<HttpServer>;

/** Starts a third-party server on a free port; returns the port as soon as it listens. */
type Listening = (program: string, start: (port: string) => { args: string[]; env: Record<string, string> }) => Promise<number>;

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

interface Servers {
  /** A server nobody here wrote. */
  listening: Listening;
  /** A behaviour of the scripted server. */
  http: Start;
  /** The scripted model provider. */
  models: Start;
  /** The scripted server behind scripted authorization servers, in one of their parts. */
  oauth: Start;
  /** A server nobody here wrote, behind an OpenID provider nobody here wrote; how many seconds its tokens are good. */
  oidc: Start;
}

/** A server for as long as the test runs. */
async function serve(use: (start: Start) => Promise<void>, program: string, ...before: string[]): Promise<void> {
  const started: HttpServer[] = [];
  await use(async (...args) => {
    const server = await HttpServer.start(program, ...before, ...args);
    started.push(server);
    return server;
  });
  await Promise.all(started.map((server) => server.end()));
}

/** The scripted servers. */
export const SCRIPTED = join(process.env.PATCHBAY_BIN_DIR ?? '.', 'patchbay-test-server');
const OIDC = join(import.meta.dirname, '..', 'peers', 'oidc.mjs');

export const test = base.extend<Servers>({
  listening: async ({}, use) => {
    const started: ChildProcess[] = [];
    await use(async (program, start) => {
      const port = await refusedPort();
      const { args, env } = start(String(port));
      const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: 'ignore' });
      started.push(child);
      await expect.poll(() => listens(port), { message: `${program} listens` }).toBe(true);
      return port;
    });
    for (const child of started) child.kill();
  },
  http: async ({}, use) => serve(use, SCRIPTED, 'http'),
  models: async ({}, use) => serve(use, SCRIPTED, 'models'),
  oauth: async ({}, use) => serve(use, SCRIPTED, 'oauth'),
  oidc: async ({}, use) => serve(use, process.env.PATCHBAY_NODE ?? process.execPath, OIDC),
});

export { expect } from './patchbay.ts';
