import { expect, it } from 'vitest';
import { json } from './codeSetup';
import { LANGUAGES, isLoaded, languageOf, loadLanguage } from './languages';

it.each([
  ['text/x-python', '', 'python'],
  ['text/x-rust; charset=utf-8', '', 'rust'],
  ['application/javascript', '', 'javascript'],
  ['image/svg+xml', '', 'xml'],
  ['application/atom+xml', '', 'xml'],
  ['TEXT/HTML', '', 'html'],
  ['application/yaml', '', 'yaml'],
  ['text/plain', 'file:///a/main.rs?raw', 'rust'],
  [null, 'demo://x/script.SH', 'shell'],
  [null, 'file:///README', null],
  ['text/plain', '', null],
  ['text/constructor', 'a.toString', null],
  ['text/x-made-up', 'a.py', null],
])('%s at %j is %s', (mimeType, uri, expected) => {
  expect(languageOf(mimeType, uri)).toBe(expected);
});

it('loads a language', async () => {
  expect(isLoaded('python')).toBe(true);
  expect(isLoaded('json')).toBe(false);
  expect((await loadLanguage('python')).name).toBe('python');
});

const HOSTILE = ['0', '/', '(/', '[/', '.', ' ', '\t ', '- ', '? ', 'a'].flatMap((pattern) =>
  ['', '<', '"', '/'].map((begin) => begin + pattern.repeat(300_000 / pattern.length)),
);

// The editor parses in steps, and stops between them. Without limits a step of CSS takes 15 s, and one of YAML longer.
it.each(LANGUAGES)('never parses %s for long without a pause', async (name) => {
  const { parser } = await loadLanguage(name);
  for (const text of HOSTILE) {
    const parse = parser.startParse(text);
    const until = performance.now() + 20;
    while (parse.advance() === null && performance.now() < until);
    expect(performance.now() - until, text.slice(0, 10)).toBeLessThan(1_000);
  }
});

it.each(['json', 'yaml'] as const)('leaves %s plain that is nested too deeply', async (name) => {
  const { parser } = name === 'json' ? json : await loadLanguage(name);
  for (const pattern of ['[', '[\n', '[\\n', '{"a":']) {
    for (const count of [1_000, 50_000]) {
      const text = pattern.repeat(count);
      expect(parser.parse(text).length).toBe(text.length);
    }
  }
});
