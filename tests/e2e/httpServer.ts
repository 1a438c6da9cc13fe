import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test as base } from './patchbay.ts';

/** The HTTP face of the scripted server; it ends with the test. */
export class HttpServer {
  private constructor(
    private readonly child: ChildProcess,
    /** Where it listens, with its path. */
    readonly url: string,
  ) {}

  static async start(face: string): Promise<HttpServer> {
    const program = join(process.env.PATCHBAY_BIN_DIR ?? '.', 'patchbay-test-server');
    const child = spawn(program, ['http', face], { stdio: ['pipe', 'pipe', 'inherit'] });
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).once('line', resolve);
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`the scripted server ended with ${code}`)));
    });
    return new HttpServer(child, url);
  }

  /** What a person calls it when only its address was pasted. */
  get host(): string {
    return new URL(this.url).hostname;
  }

  /** It serves until its stdin ends. */
  async end(): Promise<void> {
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

/** Tests get `http(face)`: a scripted server over HTTP. */
export const test = base.extend<{ http: (face: string) => Promise<HttpServer> }>({
  http: async ({}, use) => {
    const started: HttpServer[] = [];
    await use(async (face) => {
      const server = await HttpServer.start(face);
      started.push(server);
      return server;
    });
    await Promise.all(started.map((server) => server.end()));
  },
});

export { expect } from './patchbay.ts';
