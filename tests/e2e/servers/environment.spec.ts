import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { violations } from '../accessibility/violations.ts';
import { expect, scratch, test } from '../patchbay.ts';

/** A script below a folder. Another process writes it: a file that we have open for writing cannot be run. */
function script(file: string, text: string): string {
  const write = `mkdir -p "$(dirname "$1")" && printf '#!/bin/sh\\n%s\\n' "$2" > "$1" && chmod 755 "$1"`;
  execFileSync('/bin/sh', ['-c', write, 'sh', file, text]);
  return file;
}

test('a server is found through an added folder or the chosen shell only, and one that runs is marked when they change', async ({ app, patchbay }) => {
  const folder = scratch();
  const bin = join(folder, 'bin');
  script(join(bin, 'only-there'), `exec ${process.env.PATCHBAY_BIN} demo-server`);
  const shell = script(join(folder, 'fakesh'), `PATH=${bin}:$PATH; export PATH; echo welcome; eval "$4"`);
  const broken = script(join(folder, 'broken'), 'echo "rc: line 3" >&2; exit 4');
  const settings = app.page.getByRole('dialog', { name: 'Settings' });
  const row = settings.getByRole('group', { name: 'Shell and PATH', exact: true });
  const path = row.getByRole('list', { name: 'Folders of PATH' });
  const save = row.getByRole('button', { name: 'Save shell and PATH' });

  // The failure names the PATH that was used and leads to the setting.
  await app.addByPaste('only-there');
  const centre = app.page.getByTestId('centre');
  await expect(centre.getByText('The program "only-there" was not found in PATH.')).toBeVisible();
  await expect(centre.getByText(/^PATH used: /)).toBeVisible();
  await centre.getByRole('button', { name: 'Shell and PATH…', exact: true }).click();
  await expect(row.getByText(/inherited from the process that started Patchbay/)).toBeVisible();
  await expect(path.getByRole('listitem').first()).toBeVisible();

  // Folders that are not there are said to be so, wrong ones are refused with the cause, and what is typed stays.
  const before = row.getByRole('group', { name: 'Folders before PATH' });
  await before.getByRole('button', { name: 'Add folder' }).click();
  await before.getByRole('textbox').fill('bin');
  await save.click();
  await expect(row.getByRole('alert')).toContainText('`bin` is not absolute');
  await before.getByRole('textbox').fill(bin);
  await before.getByRole('button', { name: 'Add folder' }).click();
  await before.getByRole('textbox').nth(1).fill(join(folder, 'gone'));
  await app.page.keyboard.press('Enter');
  await expect(path.getByRole('listitem').first()).toHaveText(`${bin}Added`);
  await expect(path.getByRole('listitem').nth(1)).toHaveText(`${join(folder, 'gone')}Does not existAdded`);
  expect(await violations(app.page, '[role="dialog"]')).toEqual([]);
  await app.page.keyboard.press('Escape');
  await app.page.getByRole('button', { name: 'Reconnect' }).click();
  await expect(app.toolRows.first()).toBeVisible();

  // Another shell that fails is named; the added folders do not need it.
  await app.page.keyboard.press('ControlOrMeta+Comma');
  await settings.getByLabel('Search settings').fill('command not found');
  await row.getByRole('radio', { name: 'Other shell' }).check();
  await row.getByRole('textbox', { name: 'Other shell' }).fill(broken);
  await save.click();
  await expect(row.getByRole('alert')).toContainText(`${broken} ended with exit code 4 before it printed its variables.`);
  await expect(row.getByRole('alert')).toContainText('rc: line 3');
  await expect(path.getByRole('listitem').first()).toHaveText(`${bin}Added`);
  expect(await violations(app.page, '[role="dialog"]')).toEqual([]);

  // One that works, and no added folders: the running server has to be restarted to get that.
  await row.getByRole('textbox', { name: 'Other shell' }).fill(shell);
  await before.getByRole('button', { name: 'Remove folder 2' }).click();
  await before.getByRole('button', { name: 'Remove folder 1' }).click();
  await save.click();
  await expect(row.getByText(`from ${shell}, read at`)).toBeVisible();
  await expect(path.getByRole('listitem').first()).toHaveText(bin);
  await expect(row.getByRole('button', { name: 'Restart only-there' })).toBeVisible();
  await app.page.keyboard.press('Escape');
  await app.openTab('Info');
  const process_ = app.page.getByRole('region', { name: 'Process' });
  await expect(process_).toContainText('The environment has changed since the program was started.');
  await process_.getByRole('button', { name: 'Restart', exact: true }).click();
  await expect(process_).toContainText(`From ${shell}`);
  await expect(process_).not.toContainText('has changed');

  // It survives a restart of Patchbay; a damaged file is named and not replaced.
  expect(JSON.parse(readFileSync(join(patchbay.folder, 'environment.json'), 'utf8'))).toMatchObject({ shell: 'program', program: shell });
  await patchbay.end();
  writeFileSync(join(patchbay.folder, 'environment.json'), '{"shell":"remote"}');
  await patchbay.restart();
  await app.page.goto(patchbay.address);
  await expect(app.page.getByText(/environment\.json cannot be read/)).toBeVisible();
  await app.page.keyboard.press('ControlOrMeta+Comma');
  await expect(row.getByRole('alert')).toContainText('environment.json cannot be read');
  expect(readFileSync(join(patchbay.folder, 'environment.json'), 'utf8')).toContain('remote');
});
