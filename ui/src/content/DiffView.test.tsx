import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { DiffView } from './DiffView';

/** In jsdom, everything is narrow. */
function show(before: string, after: string): HTMLElement {
  const { container } = render(
    <MantineProvider env="test">
      <DiffView before={before} after={after} language="plain" titles={['Old', 'New']} />
    </MantineProvider>,
  );
  return container;
}

const removed = (container: HTMLElement): string[] =>
  [...container.querySelectorAll('.cm-deletedChunk .cm-deletedLine')].map(({ textContent }) => textContent);

it('shows a small difference in one column, with the names of hidden characters that were removed', () => {
  const container = show('same\r\na\u200B b\u2066 c\r\nend', 'same\r\na\u200B b d\r\nend');
  expect(screen.getByLabelText('Before and after')).toBeDefined();
  expect(removed(container)).toEqual(['a‹U+200B› b‹U+2066› c']);
  const [deleted] = container.querySelectorAll('.cm-deletedText');
  expect(deleted?.textContent).toContain('‹U+2066›');
  expect(deleted?.textContent).not.toContain('U+200B');
  expect(screen.getByText('1 change')).toBeDefined();
});

it.each([
  ['lines', 'a\n'.repeat(20_000)],
  ['characters', 'a'.repeat(200_000)],
])('never draws all of what was removed when it has very many %s', (_, before) => {
  const container = show(before, 'b');
  expect(screen.getByLabelText('Before')).toBeDefined();
  expect(container.querySelectorAll('.cm-deletedChunk')).toHaveLength(0);
  expect(container.querySelectorAll('*').length).toBeLessThan(5_000);
  expect(screen.getByText('1 change')).toBeDefined();
});
