import { expect, it } from 'vitest';

// What a server can make slow runs in a worker, which is stopped when it takes too long. On the main thread nothing stops it: one
// call there freezes the window, so these functions may not even be imported by what the window runs.

const FILES = import.meta.glob<string>(['/src/**/*.{ts,tsx}', '!/src/**/*.{test,fixture}.*'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** A function, the module that has it, and the files that may import it. */
const ONLY: [name: string, module: string, allowed: string[]][] = [
  ['compileCheck', '/src/model/form/check/validate', ['/src/model/background/tasks.ts']],
  ['parseMarkdown', '/src/model/text/markdown/tree', ['/src/model/background/tasks.ts']],
  ['parseFrontmatter', '/src/model/text/frontmatter', ['/src/model/background/tasks.ts']],
  ['parseDocument', 'yaml', ['/src/model/text/frontmatter.ts']],
  ['runTask', '/src/model/background/tasks', ['/src/model/background/background.worker.ts']],
  // Takes minutes for a megabyte that repeats itself; quickDiff.ts gives it short texts only.
  ['diff', '@codemirror/merge', ['/src/widgets/code/quickDiff.ts']],
  // fits.ts asks it which alternative of a choice a value belongs to, with a budget and without slow patterns.
  ['Validator', '@cfworker/json-schema', ['/src/model/form/check/validate.ts']],
  ['validate', '@cfworker/json-schema', ['/src/model/form/fits.ts']],
];

/** Imports and re-exports with names, and those of a whole module that are made at run time. */
const NAMED = /^(?:import|export)\s+(?!type\b)([^'";]+?)\s+from\s+'([^']+)'/gm;
const WHOLE = /\bimport\(\s*'([^']+)'\s*\)/g;

/** The module that an import names: a path without its ending, or the name of a package. */
function moduleOf(file: string, specifier: string): string {
  return specifier.startsWith('.') ? new URL(specifier, `file://${file}`).pathname : specifier;
}

/** The files in which the value `name` of a module is at hand: types are not values. */
function importers(name: string, module: string, files = FILES): string[] {
  const isValue = new RegExp(String.raw`\*|(?<!\btype\s+)\b${name}\b`);
  return Object.entries(files)
    .filter(([file, text]) => {
      const named = [...text.matchAll(NAMED)].some(
        ([, clause = '', specifier = '']) => moduleOf(file, specifier) === module && isValue.test(clause),
      );
      const whole = [...text.matchAll(WHOLE)].some(
        ([, specifier = '']) => moduleOf(file, specifier) === module,
      );
      return named || whole;
    })
    .map(([file]) => file)
    .toSorted();
}

it.each(ONLY)('%s of %s is imported only where it may take long', (name, module, allowed) => {
  expect(importers(name, module)).toEqual(allowed);
});

it.each([
  "import { compileCheck } from '../check/validate';",
  "import {\n  type Check,\n  compileCheck as compiled,\n} from '../check/validate';",
  "import * as checks from '../check/validate';",
  "export { compileCheck } from '../check/validate';",
  "export * from '../check/validate';",
  "const { compileCheck } = await import('../check/validate');",
])('an import is found however it is written: %s', (text) => {
  const file = '/src/model/form/fields/a.ts';
  expect(importers('compileCheck', '/src/model/form/check/validate', { [file]: text })).toEqual([file]);
});

it.each([
  "import type { compileCheck } from '../check/validate';",
  "import { type compileCheck, pointerInWords } from '../check/validate';",
  "import { compileCheck } from '../check/others';",
])('a type, or another module, is not taken for it: %s', (text) => {
  expect(
    importers('compileCheck', '/src/model/form/check/validate', { '/src/model/form/fields/a.ts': text }),
  ).toEqual([]);
});
