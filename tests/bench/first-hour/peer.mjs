// MCP Inspector's side of the first hour: its web client, in the same Chromium, on the same servers.
import { INSPECTOR, openInspector } from '../inspector.mjs';
import { press, untilSeen } from '../measure.mjs';
import { family, memory } from '../../e2e/window/desktop/processes.mjs';
import { RUNS, paintedAt } from './patchbay.mjs';

/** How long a wrong server is waited for: it may never be said that it is wrong. */
const PATIENCE_MS = 90_000;
/** After a wait of this length, one run is enough. */
const LONG_MS = 20_000;

/** From the start of its process to the first paint of its page, and the memory of its processes. */
export async function peerOfStart(browser) {
  const measured = { paint: [], memory: [], note: undefined };
  try {
    for (let run = 0; run < RUNS; run++) {
      const inspector = await openInspector(browser, { command: process.execPath, args: ['-e', ''] }, paintedAt);
      measured.paint.push(inspector.painted - inspector.startedAt);
      measured.memory.push(memory(family(inspector.pid)));
      await inspector.page.close();
      await inspector.end();
    }
  } catch (thrown) {
    measured.note = `${INSPECTOR} was not measured: ${thrown.message.split('\n')[0]}`;
  }
  return measured;
}

/** One scenario: connected and a result, or the failure. */
export async function peerOfScenario(browser, { call, server }) {
  const values = call === undefined ? { failed: [] } : { connected: [], result: [] };
  let note;
  try {
    for (let run = 0; run < RUNS; run++) {
      const inspector = await openInspector(browser, server);
      try {
        const { page } = inspector;
        const connect = await press(page, page.locator('.mantine-Switch-track').first());
        if (call === undefined) {
          const failed = await untilSeen(page, connect, { ...FAILURE, patienceMs: PATIENCE_MS });
          if (failed === null) throw new Error(`shows no failure within ${PATIENCE_MS / 1000} s`);
          values.failed.push(failed);
          if (failed > LONG_MS) {
            note = 'one run of the peer';
            break;
          }
          continue;
        }
        const connected = await untilSeen(page, connect, { selector: CONNECTED, text: '', patienceMs: PATIENCE_MS });
        if (connected === null) throw new Error(`is not connected within ${PATIENCE_MS / 1000} s`);
        values.connected.push(connected);
        const execute = await press(page, await prepareTitled(page, call));
        const result = await untilSeen(page, execute, { selector: 'body', text: call.result });
        if (result === null) throw new Error('shows no result within 60 s');
        values.result.push(result);
      } finally {
        await inspector.page.close();
        await inspector.end();
      }
    }
  } catch (thrown) {
    note = `${INSPECTOR}: ${thrown.message.split('\n')[0]}`;
  }
  return { values, note };
}

/** Selects a tool whose row has its title and its name, fills in its only field, and returns what calls it. */
async function prepareTitled(page, { tool, argument, value }) {
  page.setDefaultTimeout(30_000);
  await page.getByText('Tools', { exact: true }).first().click();
  await page.getByRole('button', { name: new RegExp(tool, 'i') }).first().click();
  const execute = page.getByRole('button', { name: 'Execute Tool' });
  await execute.waitFor();
  await page.getByLabel(new RegExp(`^${argument}`)).first().fill(value);
  return execute;
}

/** What Inspector shows once it is connected, and once connecting has failed. */
const CONNECTED = '[aria-label="Disconnect from server"]';
const FAILURE = { selector: 'body', text: 'Failed to connect' };
