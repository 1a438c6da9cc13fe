import { expect, it } from 'vitest';
import { resourceFileName } from './saveBytes';

it.each([
  ['demo://a/picture.png', 'image/png', 'picture.png'],
  ['demo://a/b?x=1/2.js', 'text/csv', 'b.csv'],
  ['file:///../../etc/passwd', null, 'passwd.bin'],
  ['x:..\\..\\evil', 'text/plain', 'x-..-..-evil.txt'],
  ['', null, 'result.bin'],
  ['a:b', 'constructor', 'a-b.bin'],
])('names the file of %s', (uri, mimeType, name) => {
  expect(resourceFileName(uri, mimeType)).toBe(name);
});
