import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ScriptedHost } from '../host/scripted';
import { ModelProvider, createModel } from '../model/workspace/context';
import { MarkdownText } from './MarkdownText';

function show(text: string) {
  const { container } = render(
    <MantineProvider>
      <ModelProvider model={createModel(new ScriptedHost({}))}>
        <MarkdownText text={text} />
      </ModelProvider>
    </MantineProvider>,
  );
  return container;
}

it('shows frontmatter as names and values above the text', async () => {
  show('---\nname: copy\nmeta:\n  size: 3\n---\n\nThe body');
  expect((await screen.findByRole('region', { name: 'Frontmatter' })).textContent).toBe('namecopymeta.size3');
  expect(await screen.findByText('The body')).toBeDefined();
});

it.each([
  ['is not valid', 'a: {{'],
  ['was not read: it is longer than 64 KiB.', `a: ${'x'.repeat(66_000)}`],
])('says that frontmatter %s, and shows it as it is', async (why, yaml) => {
  const container = show(`---\n${yaml}\n---\n\nThe body`);
  expect((await screen.findByText(/The frontmatter/)).textContent).toContain(why);
  expect(container.querySelector('pre')?.textContent).toBe(yaml);
  expect(await screen.findByText('The body')).toBeDefined();
});
