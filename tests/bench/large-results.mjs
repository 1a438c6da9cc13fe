// A tool result of 1 MB and 10 MB of JSON text: from the arrival of its last byte until it is readable, and from the click
// beside MCP Inspector, which shows 100 KB.
import { launch } from './measure.mjs';
import { measureResult } from './results.mjs';

const RUNS = 5;

const browser = await launch();
try {
  await measureResult(browser, { name: 'large-results-100kb', bytes: 100_000, runs: RUNS, besidePeer: true });
  await measureResult(browser, { name: 'large-results-1mb', bytes: 1_000_000, runs: RUNS, besidePeer: true });
  await measureResult(browser, { name: 'large-results-10mb', bytes: 10_000_000, runs: RUNS, besidePeer: false });
} finally {
  await browser.close();
}
