// The window: from the start of the process to the first paint, memory when idle, and the size of the binaries.
// One JSON object per line with --json, a table without. The peer for time and memory is an empty WebKitGTK window: the
// library's MiniBrowser showing one line of text. It is the floor, not a competitor.
import { spawn } from 'node:child_process';
import { readFileSync, statSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { APP, Harness } from '../e2e/window/harness.mjs';
import { onVirtualDisplay } from '../e2e/window/desktop/display.mjs';
import { family, memory } from '../e2e/window/desktop/processes.mjs';
import { until } from '../e2e/window/desktop/until.mjs';

const RUNS = 7;
const BARE = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';

/** When a process started, in ms since the epoch, to 10 ms. */
function startedAt({ started }) {
  const uptime = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);
  return Date.now() - uptime * 1000 + Number(started) * 10;
}

/** The page draws nothing before it has its data, so its first paint is the first usable one. In ms since the epoch. */
const PAINT = `
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  return paint && performance.timeOrigin + paint.startTime;`;

/** Memory when idle: two samples a second apart that differ by less than one percent. */
function atRest(pid) {
  let before = 0;
  return until(
    'its memory is at rest',
    () => {
      const now = memory(family(pid));
      const rested = Math.abs(now - before) < now / 100;
      before = now;
      return rested && now;
    },
    { every: 1_000, within: 60_000 },
  );
}

async function measure(open) {
  const harness = new Harness();
  try {
    const { app, painted } = await open(harness);
    const paint = painted - startedAt(app);
    return { paint, idle: await atRest(app.pid) };
  } finally {
    await harness.clear();
  }
}

async function ours(harness) {
  const { page, app } = await harness.open();
  return { app, painted: await until('the page has painted', () => page.run(PAINT)) };
}

/** The page reports by itself, so that nothing needs to drive it. */
async function bare(harness) {
  const page = `<!doctype html><title>Empty</title><p>An empty window.</p><script>
    const look = () => {
      const painted = (() => { ${PAINT} })();
      if (painted) fetch('/painted', { method: 'POST', body: String(painted) });
      else requestAnimationFrame(look);
    };
    look();
  </script>`;
  let tell;
  const told = new Promise((resolve) => (tell = resolve));
  const server = createServer(async (request, response) => {
    if (request.url === '/painted') {
      const parts = await request.toArray();
      tell(Number(Buffer.concat(parts).toString()));
    }
    response.setHeader('content-type', 'text/html');
    response.end(request.url === '/' ? page : '');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  spawn(BARE, [`http://127.0.0.1:${server.address().port}/`], { env: harness.env, stdio: 'ignore' });
  const painted = await told;
  server.close();
  return { app: harness.ours(BARE)[0], painted };
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

const exists = (path) => statSync(path, { throwIfNoEntry: false }) !== undefined;

async function numbers() {
  const mine = [];
  const floor = [];
  // Alternating, so that a busy moment of the machine affects both.
  for (let run = 0; run < RUNS; run += 1) {
    mine.push(await measure(ours));
    if (exists(BARE)) floor.push(await measure(bare));
  }
  const beside = (name, unit, of) => {
    const value = median(mine.map(of));
    const peerValue = floor.length > 0 ? median(floor.map(of)) : null;
    const ratio = peerValue === null ? null : Number((peerValue / value).toFixed(3));
    return {
      name,
      value: Math.round(value),
      unit,
      peer: peerValue && 'empty WebKitGTK window',
      peerValue: peerValue && Math.round(peerValue),
      ratio,
      runs: RUNS,
    };
  };
  const size = (name, path) => ({
    name,
    value: statSync(path).size,
    unit: 'B',
    peer: null,
    peerValue: null,
    ratio: null,
    runs: 1,
  });
  const programs = [
    ['startup-size-app', APP],
    ['startup-size-cli', process.env.PATCHBAY_BIN],
  ];
  return [
    beside('startup-first-paint', 'ms', (run) => run.paint),
    beside('startup-idle-memory', 'B', (run) => run.idle),
    ...programs.filter(([, path]) => path && exists(path)).map(([name, path]) => size(name, path)),
  ];
}

/** The descriptor of our stdout inside the session bus, whose own programs write to the usual one. */
const NUMBERS = 3;

await onVirtualDisplay(
  async () => {
    for (const line of await numbers()) {
      const beside = line.peer ? `   ${line.peer}: ${line.peerValue} ${line.unit}` : '';
      const text = process.argv.includes('--json')
        ? JSON.stringify(line)
        : `${line.name.padEnd(24)}${line.value} ${line.unit}${beside}`;
      writeSync(NUMBERS, `${text}\n`);
    }
    return 0;
  },
  ['inherit', 2, 'inherit', 1],
);
