import { MantineProvider } from '@mantine/core';
import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { DefinitionDiff } from './DefinitionDiff';

/** A text of which every twentieth word differs from another side's. */
const text = (side: string): string =>
  Array.from({ length: 4_000 }, (_, at) => (at % 20 === 0 ? side : `word${at}`)).join(' ');

// Each took 40 ms and thousands of elements, and the engine returns up to 500 of them.
it('compares the first changes word by word, and shows the texts of the others', async () => {
  const changes = Array.from({ length: 100 }, (_, at) => ({
    pointer: `/${at}`,
    words: 'Changed.',
    before: text('a'),
    after: text('b'),
  }));
  const diff = { before: [], after: [], changes, more: false };
  const view = render(
    <MantineProvider>
      <DefinitionDiff load={() => Promise.resolve(diff)} label="Changes" name="x" notes={() => []} />
    </MantineProvider>,
  );
  const items = await view.findAllByRole('listitem');
  expect(items).toHaveLength(100);
  expect(items[0]?.querySelectorAll('del').length).toBeGreaterThan(40);
  for (const item of items.slice(1)) {
    expect(item.querySelectorAll('del, ins')).toHaveLength(2);
    expect(item.textContent).toContain('Only the first 500 characters are shown here.');
  }
});
