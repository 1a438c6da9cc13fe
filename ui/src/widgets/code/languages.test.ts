import { expect, it } from 'vitest';
import { isLoaded, languageOf, loadLanguage } from './languages';

it.each([
  ['text/x-python', '', 'python'],
  ['text/x-rust; charset=utf-8', '', 'rust'],
  ['application/javascript', '', 'javascript'],
  ['image/svg+xml', '', 'xml'],
  ['application/atom+xml', '', 'xml'],
  ['TEXT/HTML', '', 'html'],
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
