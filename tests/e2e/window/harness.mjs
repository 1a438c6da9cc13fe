// The harness of a test: an empty home folder, so that tests are independent of each other.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { all, family, gone, marked } from './desktop/processes.mjs';
import { until } from './desktop/until.mjs';
import { WebDriver } from './desktop/webdriver.mjs';

export const APP = process.env.PATCHBAY_APP;

/** The XPath of the rows of a list that have this text. */
export const row = (list, text = '') =>
  `//*[@role="listbox" or @role="tree"][@aria-label="${list}"]//*[@role="option" or @role="treeitem"][contains(., "${text}")]`;

export class Harness {
  home = mkdtempSync(join(tmpdir(), 'patchbay-window-'));
  /** Additional environment variables. */
  variables = {};
  /** The program under test. */
  program = APP;
  #drivers = [];

  constructor() {
    for (const folder of ['config', 'data', 'cache', 'state', 'runtime']) {
      mkdirSync(join(this.home, folder), { mode: 0o700 });
    }
  }

  get env() {
    return {
      ...process.env,
      HOME: this.home,
      XDG_CONFIG_HOME: join(this.home, 'config'),
      XDG_DATA_HOME: join(this.home, 'data'),
      XDG_CACHE_HOME: join(this.home, 'cache'),
      XDG_STATE_HOME: join(this.home, 'state'),
      XDG_RUNTIME_DIR: join(this.home, 'runtime'),
      ...this.variables,
    };
  }

  /** Opens the window and attaches to it. */
  async open(...args) {
    const page = await WebDriver.open({ binary: this.program, args, env: this.env });
    this.#drivers.push(page);
    const app = family(page.pid).find((one) => one.args[0] === this.program);
    return { page, app };
  }

  /** Starts the program without attaching to it; returns its exit code and output. */
  async start(...args) {
    const child = spawn(this.program, args, { env: this.env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
    const code = await new Promise((resolve) => child.once('close', resolve));
    return { code, said };
  }

  /** Server processes started from this harness. */
  servers() {
    return marked(this.home).filter((one) => one.args.includes('demo-server'));
  }

  /** The processes of a program started from this harness; by default those of the app and its servers, without WebKit's. */
  ours(program = this.program) {
    return marked(this.home).filter((one) => one.args[0] === program);
  }

  /** Waits until the app and all its processes have ended. */
  async allGone(processes) {
    await gone(processes);
    await until('no server is left', () => this.servers().length === 0, {
      seen: () => JSON.stringify(all()),
    });
  }

  async clear() {
    for (const page of this.#drivers) await page.close();
    const left = marked(this.home);
    left.forEach(kill);
    await gone(left);
    rmSync(this.home, { recursive: true, force: true });
  }
}

function kill({ pid }) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error; // It has already ended.
  }
}

/**
 * The longest that a test may take, in milliseconds: some open the window three times, which takes a minute on a busy machine.
 * `--test-timeout` of Node 20 is for a whole file.
 */
const LONGEST = 120_000;

/** Runs `test` with a new harness. If it fails or takes too long, a screenshot is saved to PATCHBAY_SHOTS. */
export function withHarness(test) {
  return async (context) => {
    const harness = new Harness();
    try {
      await inTime(test(harness));
    } catch (error) {
      const folder = process.env.PATCHBAY_SHOTS;
      if (folder) {
        mkdirSync(folder, { recursive: true });
        const name = context.name.replaceAll(/\W+/g, '-').slice(0, 60);
        execFileSync('import', ['-window', 'root', join(folder, `failed-${name}.png`)]);
      }
      throw error;
    } finally {
      await harness.clear();
    }
  };
}

/** Fails if a test takes too long. What it waits for ends with its harness. */
function inTime(test) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the test did not end within ${LONGEST / 1000} s`)), LONGEST);
  });
  return Promise.race([test, late]).finally(() => clearTimeout(timer));
}

/** Connects the demo server by command, for tests that do not test clicking. */
export async function connectDemo(page) {
  const { serverId } = await page.call('server_add_demo');
  return opened(page, serverId);
}

/** Adds a server from pasted text, and connects it. */
export async function connect(page, text) {
  const { drafts } = await page.call('server_parse', { text });
  const { serverId } = await page.call('server_add', { draft: drafts[0] });
  return opened(page, serverId);
}

async function opened(page, serverId) {
  await page.call('connection_open', { serverId });
  await until('the server is connected', async () => {
    const { items } = await page.call('server_list');
    return items.find((item) => item.id === serverId)?.connection.state === 'ready';
  });
  return serverId;
}

/** The X window of an app's process. */
export function xWindow({ pid }) {
  return shownWindow('--pid', String(pid), '--name', '^Patchbay');
}

/** The X window that matches xdotool's search, as soon as it is visible. */
export function shownWindow(...search) {
  return until(`${search.join(' ')} is on the screen`, () => visible(search));
}

/** Whether an X window that matches xdotool's search is visible. */
export function isShown(...search) {
  return Boolean(visible(search));
}

function visible(search) {
  try {
    return xdotool('search', '--onlyvisible', '--all', ...search).split('\n')[0];
  } catch {
    return null; // xdotool fails when it finds nothing.
  }
}

export function xdotool(...args) {
  // `--sync` waits for ever for what does not happen.
  return execFileSync('xdotool', args, { encoding: 'utf8', timeout: 20_000 }).trim();
}
