// The texts of the UI as a catalogue for translators: `npm run strings` writes strings/patchbay.pot, `-- --check` tells whether it is
// up to date. The extraction is wuchale's (wuchale.config.js); the catalogue is sorted, so that a change of one text is a change of
// a few lines.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PO from 'pofile';

const UI = new URL('..', import.meta.url).pathname;
const CATALOGUE = join(UI, 'strings/patchbay.pot');

/** The texts in the code now. */
function extracted() {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-strings-'));
  try {
    const wuchale = join(UI, 'node_modules/wuchale/dist/cli/index.js');
    const args = [
      wuchale,
      '--config',
      join(UI, 'strings/wuchale.config.js'),
      '--sync',
      '--log-level',
      'error',
    ];
    execFileSync(process.execPath, args, {
      cwd: UI,
      env: { ...process.env, STRINGS_DIR: folder },
      stdio: 'inherit',
    });
    return PO.parse(readFileSync(join(folder, 'en.po'), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The catalogue without dates and translations: the same texts give the same bytes. */
function catalogue(po) {
  const result = new PO();
  result.headers = {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Transfer-Encoding': '8bit',
    Language: 'en',
  };
  const items = po.items.filter(({ obsolete }) => !obsolete);
  for (const item of items) {
    item.references = [...new Set(item.references)].sort();
    // They name the values of a text. Places with the same text have different ones, in no fixed order.
    item.extractedComments = [];
    item.msgstr = [''];
  }
  const key = ({ msgid, msgctxt }) => `${msgid}\n${msgctxt ?? ''}`;
  result.items = items.sort((one, other) => (key(one) < key(other) ? -1 : 1));
  return `${result.toString()}\n`;
}

const now = catalogue(extracted());
if (process.argv.includes('--check')) {
  if (readFileSync(CATALOGUE, 'utf8') !== now) {
    console.error(
      'strings/patchbay.pot is not up to date. Run `npm run strings` in ui and commit the result.',
    );
    process.exit(1);
  }
} else {
  writeFileSync(CATALOGUE, now);
}
