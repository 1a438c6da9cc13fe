import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { violations } from '../accessibility/violations.ts';
import { expect, scratch, test } from '../patchbay.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test('a server is run in the chosen terminal, and its command can be copied if that fails', async ({ app }) => {
  const folder = scratch();
  const terminal = join(folder, 'terminal');
  const got = join(folder, 'got');
  writeFileSync(terminal, '#!/bin/sh\nSHELL=/bin/true "$@" < /dev/null > /dev/null 2>&1\n');
  chmodSync(terminal, 0o755);
  const server = join(folder, 'notes');
  writeFileSync(server, `#!/bin/sh\nprintf %s "$PWD" > ${got}\n`);
  chmodSync(server, 0o755);
  await app.addByPaste(server);
  await app.page.keyboard.press('Control+,');
  const settings = app.page.getByRole('dialog', { name: 'Settings' });
  await settings.getByLabel('Command of the terminal').fill(`${terminal} --no-such`);
  await app.page.keyboard.press('Escape');
  await app.serverMenu('notes', 'Open in terminal');
  // The fake terminal runs its words, and the first is no program.
  const failed = app.page.getByRole('dialog', { name: 'Open notes in a terminal' });
  await expect(failed).toContainText('ended with an error');
  await expect(failed).toContainText('env PATH=');
  expect(await violations(app.page, '[role="dialog"]')).toEqual([]);
  await failed.getByRole('button', { name: 'Copy command', exact: true }).click();
  await expect(failed.getByRole('button', { name: 'Copied', exact: true })).toBeVisible();
  await failed.getByRole('button', { name: 'Settings…' }).click();
  await settings.getByLabel('Command of the terminal').fill(terminal);
  await app.page.keyboard.press('Escape');
  writeFileSync(got, '');
  await app.serverMenu('notes', 'Open in terminal');
  await expect(() => expect(existsSync(got) && readFileSync(got, 'utf8')).not.toBe('')).toPass();
  await expect(failed).toBeHidden();
});
