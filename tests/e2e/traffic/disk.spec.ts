import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EIO, ENOSPC, Faults, WRITE } from './faults.ts';
import { Patchbay, expect, test as base } from '../patchbay.ts';

/** A `patchbay` whose log is on a disk that can fail. */
const test = base.extend<{ faults: Faults }>({
  faults: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'patchbay-faults-'));
    await use(new Faults(folder));
    await rm(folder, { recursive: true, force: true });
  },
  patchbay: async ({ faults }, use) => {
    const patchbay = await Patchbay.start(undefined, (folder) => faults.variables(join(folder, 'traffic.sqlite')));
    await use(patchbay);
    faults.end();
    await patchbay.remove();
  },
});

test('a log that cannot be written is said with its cause as long as it cannot; calls go on, and nothing is lost', async ({
  app,
  faults,
}) => {
  const { page } = app;
  await app.connectDemo();
  await app.selectTool('add');
  const banner = page.getByRole('alert').filter({ hasText: 'The traffic log cannot be written' });
  const calls = app.trafficRows.filter({ hasText: 'tools/call' });
  let count = 0;
  for (const [errno, cause, next] of [
    [ENOSPC, 'full', 'Free some space on the disk, or clear the log'],
    [EIO, 'I/O', 'Patchbay tries again by itself'],
  ] as const) {
    faults.fail(WRITE, errno);
    await app.writeArguments(`{"a":1000,"b":${errno}}`);
    await app.callTool();
    await expect(banner).toContainText(cause);
    await expect(banner).toContainText(next);
    await expect(banner).toContainText(/new records wait in memory/i);
    await expect(app.result).toContainText(String(1000 + errno));
    await expect(calls).toHaveCount(count);
    faults.end();
    await expect(banner).toBeHidden();
    // A request and its response.
    count += 2;
    await expect(calls).toHaveCount(count);
  }
});
