import { expect, it } from 'vitest';
import { wordDiff } from './wordDiff';

/** `[-removed-]` and `{+added+}`. */
const drawn = (before: string, after: string): string =>
  wordDiff(before, after)
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'before' ? `[-${text}-]` : `{+${text}+}`))
    .join('');

it('replaces whole numbers and words', () => {
  expect(drawn('100', '4000')).toBe('[-100-]{+4000+}');
  expect(drawn('-1.5', '1.50')).toBe('[--1.5-]{+1.50+}');
  expect(drawn('1e10', '1e11')).toBe('[-1e10-]{+1e11+}');
  expect(drawn('"string"', '"integer"')).toBe('"[-string-]{+integer+}"');
  expect(drawn('true', 'false')).toBe('[-true-]{+false+}');
  expect(drawn('1.2.3', '1.3.0')).toBe('[-1.2.3-]{+1.3.0+}');
});

it('shows the words of a sentence that differ, and leaves the rest', () => {
  expect(drawn('Reads a file of the project.', 'Reads or deletes a file of the project.')).toBe(
    'Reads {+or deletes +}a file of the project.',
  );
  expect(drawn('Says hello in English.', 'Says goodbye in English.')).toBe(
    'Says [-hello-]{+goodbye+} in English.',
  );
});

it('shows a character that cannot be seen as a change', () => {
  expect(drawn('of the project', 'of the\u200B project')).toBe('of the{+\u200B+} project');
});

it('joins changes that only spaces part', () => {
  expect(drawn('Take the red car home today', 'Take the blue bike home today')).toBe(
    'Take the [-red car-]{+blue bike+} home today',
  );
});

it('replaces a short text of which little stays', () => {
  expect(drawn('https://one.example/mcp', 'wss://two.test/live')).toBe(
    '[-https://one.example/mcp-]{+wss://two.test/live+}',
  );
});

it('has only one side where the other is missing, and nothing for two empty texts', () => {
  expect(drawn('', 'new')).toBe('{+new+}');
  expect(drawn('old', '')).toBe('[-old-]');
  expect(drawn('', '')).toBe('');
  expect(drawn('same', 'same')).toBe('same');
});

it('keeps every character of both texts', () => {
  const before = 'Gäste 👩‍👩‍👧 ab 1.000,5\n\tzwei {"a": [1, 2]}';
  const after = 'Gäste 👩‍👧 ab 2.000,5\n\tdrei {"a": [1, 3]}';
  const segments = wordDiff(before, after);
  const side = (other: string): string =>
    segments
      .filter(({ kind }) => kind !== other)
      .map(({ text }) => text)
      .join('');
  expect(side('after')).toBe(before);
  expect(side('before')).toBe(after);
});
