// The first hour: machine time from a click to what it was for. A start to the first paint, the demo, real servers over stdio
// and HTTP, a slow one, and wrong ones until what is wrong is said. In Chromium, beside MCP Inspector where it can do the same.
import { INSPECTOR } from '../inspector.mjs';
import { launch, report } from '../measure.mjs';
import { RUNS, measureDemo, measureScenario, measureStart } from './patchbay.mjs';
import { peerOfScenario, peerOfStart } from './peer.mjs';
import { freePort, scenarios, startHttpServer } from './servers.mjs';

const browser = await launch();
const http = await startHttpServer();
try {
  const peer = await peerOfStart(browser);
  const start = await measureStart(browser);
  const beside = (values) => ({ name: INSPECTOR, values, note: peer.note });
  report({ name: 'first-hour-start', unit: 'ms', values: start.paint, peer: beside(peer.paint) });
  report({ name: 'first-hour-memory', unit: 'B', values: start.memory, peer: beside(peer.memory) });
  const demo = await measureDemo(browser);
  report({ name: 'first-hour-demo-connected', unit: 'ms', values: demo.connected, note: 'Inspector has no demo' });
  report({ name: 'first-hour-demo-result', unit: 'ms', values: demo.result });
  for (const scenario of scenarios(http.port, await freePort())) await besidePeer(scenario);
} finally {
  await browser.close();
  await http.end();
}

/** One scenario on both sides. What a peer does not show within its patience is a result: no value, and the note says so. */
async function besidePeer(scenario) {
  const ours = await measureScenario(browser, scenario);
  const theirs = await peerOfScenario(browser, scenario);
  for (const [part, values] of Object.entries(ours)) {
    // It names nothing before it fails, so only its failure can be beside ours.
    const peer = part in theirs.values ? { name: INSPECTOR, values: theirs.values[part], note: theirs.note ?? scenario.note } : null;
    report({ name: `first-hour-${scenario.name}-${part}`, unit: 'ms', values, peer, note: peer === null ? scenario.note : peer.note });
  }
  const count = Object.values(ours)[0].length;
  if (count < RUNS) throw new Error(`${scenario.name}: only ${count} of ${RUNS} runs ended`);
}
