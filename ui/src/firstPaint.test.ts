import { expect, test } from 'vitest';

const FILES = import.meta.glob<string>('./**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true });
/** Large packages of what is opened later: their code must not be loaded before the first paint. */
const LATER =
  /^(@codemirror\/|pdfjs-dist|@modelcontextprotocol\/|@cfworker\/|unified|remark-|rehype-|hast-util-)/;
/** A static import or re-export of something that is not only a type. */
const IMPORT = /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;

/** The file that a relative import names. */
function fileOf(from: string, specifier: string): string | undefined {
  const { pathname } = new URL(specifier, `file:///${from}`);
  return [`.${pathname}.ts`, `.${pathname}.tsx`].find((path) => path in FILES);
}

/** The chains of static imports from `main.tsx` to such a package. */
function chains(): string[] {
  const via = new Map<string, string[]>([['./main.tsx', []]]);
  const found: string[] = [];
  for (const [file, above] of via) {
    const here = [...above, file];
    for (const [, specifier = ''] of (FILES[file] ?? '').matchAll(IMPORT)) {
      const target = specifier.startsWith('.') ? fileOf(file, specifier) : undefined;
      if (target !== undefined && !via.has(target)) via.set(target, here);
      if (LATER.test(specifier)) found.push([...here, specifier].join(' -> '));
    }
  }
  expect(via.size).toBeGreaterThan(100);
  return found;
}

test('nothing before the first paint loads an editor, a viewer or a schema checker', () => {
  expect(chains()).toEqual([]);
});
