import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { ScriptedHost } from '../../host/scripted';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { Markdown, looksLikeMarkdown } from './Markdown';

function show(text: string) {
  const host = new ScriptedHost({ link_open: () => ({}) });
  const { container } = render(
    <MantineProvider>
      <ModelProvider model={createModel(host)}>
        <Markdown text={text} />
      </ModelProvider>
    </MantineProvider>,
  );
  return { host, container };
}

it('lets nothing run and nothing load', () => {
  const { container } = show(
    '<script>alert(1)</script> <img src=x onerror=alert(1)>\n\n' +
      '![pixel](https://example.org/p.png) [run](javascript:alert(1)) [file](file:///etc/passwd) <iframe src="https://example.org"></iframe>',
  );
  expect(container.querySelectorAll('script, img, iframe, [onerror]')).toHaveLength(0);
  expect(container.querySelectorAll('a')).toHaveLength(0);
  expect(container.textContent).toContain('run');
  expect(container.textContent).toContain('Image not loaded · pixel · https://example.org/p.png');
});

it('opens a link only after its whole address was shown', async () => {
  const user = userEvent.setup();
  const { host } = show('[here](https://example.org/a?b=c)');
  await user.click(screen.getByRole('link', { name: 'here' }));
  expect(await screen.findByText('https://example.org/a?b=c')).toBeDefined();
  expect(host.calls).toHaveLength(0);
  await user.click(screen.getByRole('button', { name: 'Open' }));
  expect(host.calls).toEqual([{ name: 'link_open', params: { url: 'https://example.org/a?b=c' } }]);
});

it.each([
  ['# Title', true],
  ['- a\n- b', true],
  ['see [x](https://example.org)', true],
  ['Plain words. 2 * 3 * 4', false],
  ['#hashtag', false],
])('guesses from %j whether it is Markdown: %s', (text, expected) => {
  expect(looksLikeMarkdown(text)).toBe(expected);
});
