import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test as base, expect } from '@playwright/test';
import { Screen } from './screen.ts';

/** A running `patchbay serve` with folders of its own. */
export class Patchbay {
  private child: ChildProcess | undefined;
  /** What it printed first: the address with the one-time token. */
  address = '';
  /** All it printed on stdout. */
  readonly lines: string[] = [];
  /** All it said on stderr. */
  words = '';

  private constructor(
    readonly folder: string,
    private readonly home: string | undefined,
    private readonly variables: Record<string, string>,
  ) {}

  /** `home`: the user's home folder, instead of the real one. `variables`: more of its environment, from its folder. */
  static async start(home?: string, variables?: (folder: string) => Record<string, string>): Promise<Patchbay> {
    const folder = await mkdtemp(join(tmpdir(), 'patchbay-e2e-'));
    const patchbay = new Patchbay(folder, home, variables?.(folder) ?? {});
    await patchbay.begin();
    return patchbay;
  }

  /** `http://127.0.0.1:PORT` */
  get origin(): string {
    return new URL(this.address).origin;
  }

  get port(): number {
    return Number(new URL(this.address).port);
  }

  get token(): string {
    return new URLSearchParams(new URL(this.address).hash.slice(1)).get('token') ?? '';
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  private async begin(): Promise<void> {
    const bin = process.env.PATCHBAY_BIN;
    if (bin === undefined) throw new Error('PATCHBAY_BIN names the program `patchbay`; `cargo xtask test browser` sets it');
    // No keychain and no browser but the test's own, no matter whose machine this is.
    const env = { ...process.env, ...this.variables, BROWSER: 'true', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' };
    if (this.home !== undefined) Object.assign(env, { HOME: this.home, XDG_CONFIG_HOME: join(this.home, '.config') });
    const child = spawn(bin, ['serve', '--data-dir', this.folder], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.child = child;
    child.stderr.setEncoding('utf8').on('data', (part: string) => (this.words += part));
    const output = createInterface({ input: child.stdout });
    this.address = await new Promise<string>((resolve, reject) => {
      output.on('line', (line) => {
        this.lines.push(line);
        resolve(line);
      });
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`patchbay serve ended with ${code} before it printed an address: ${this.words}`)));
    });
  }

  /** Ends it as Ctrl-C does and waits until it is gone. */
  async end(): Promise<void> {
    const child = this.child;
    this.child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await gone;
  }

  /** Ends it and starts it again on the same folders. */
  async restart(): Promise<void> {
    await this.end();
    await this.begin();
  }

  async remove(): Promise<void> {
    await this.end();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** How many times slower than this machine the page is; `PATCHBAY_E2E_SLOW=4` finds tests and parts that do not wait. */
const SLOWDOWN = Number(process.env.PATCHBAY_E2E_SLOW ?? 1);

/** Tests get a `patchbay` of their own, and `app`: a page that came in by its link. */
export const test = base.extend<{ patchbay: Patchbay; app: Screen }>({
  page: async ({ page }, use) => {
    if (SLOWDOWN > 1) {
      const session = await page.context().newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    }
    await use(page);
  },
  patchbay: async ({}, use) => {
    const patchbay = await Patchbay.start();
    await use(patchbay);
    await patchbay.remove();
  },
  app: async ({ page, patchbay }, use) => {
    await page.goto(patchbay.address);
    // A key or a drag before the page listens would be lost.
    await expect(page.locator('#root > *').first()).toBeAttached();
    await use(new Screen(page));
  },
});

/** A new folder for files of the current test, among the results of the run, which the next run deletes. */
export function scratch(): string {
  const results = base.info().outputPath();
  mkdirSync(results, { recursive: true });
  return mkdtempSync(join(results, 'files-'));
}

export { expect } from '@playwright/test';
