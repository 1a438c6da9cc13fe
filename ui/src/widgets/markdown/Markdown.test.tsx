import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { ScriptedHost } from '../../host/scripted';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { Markdown } from './Markdown';

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

it('lets nothing run and nothing load', async () => {
  const { container } = show(
    '<script>alert(1)</script> <img src=x onerror=alert(1)>\n\n' +
      '![pixel](https://example.org/p.png) [run](javascript:alert(1)) [file](file:///etc/passwd) [mail](mailto:a@example.org?attach=/etc/passwd) <iframe src="https://example.org"></iframe>',
  );
  await screen.findByText('run');
  expect(container.querySelectorAll('script, img, iframe, [onerror]')).toHaveLength(0);
  expect(container.querySelectorAll('a')).toHaveLength(0);
  expect(container.textContent).toContain('run');
  expect(container.textContent).toContain('Image not loaded · pixel · https://example.org/p.png');
});

it('opens a link only after its whole address was shown', async () => {
  const user = userEvent.setup();
  const { host } = show('[here](https://example.org/a?b=c)');
  await user.click(await screen.findByRole('link', { name: 'here' }));
  expect(await screen.findByText('https://example.org/a?b=c')).toBeDefined();
  expect(host.calls).toHaveLength(0);
  await user.click(screen.getByRole('button', { name: 'Open' }));
  expect(host.calls).toEqual([{ name: 'link_open', params: { url: 'https://example.org/a?b=c' } }]);
});

it('says of what is too large that it is shown as written, and shows the rest', async () => {
  const table = `${'|a'.repeat(1200)}|\n${'|-'.repeat(1200)}|\n${'|b|\n'.repeat(1200)}`;
  const { container } = show(`# Title\n\n${table}\n\nThe end`);
  await screen.findByText('The end');
  expect(screen.getByText('Title').tagName).toBe('H3');
  expect(screen.getByRole('note').textContent).toBe('Shown as plain text: this part is too large to render.');
  expect(container.querySelectorAll('*').length).toBeLessThan(100);
});

it('shows a text that cannot be laid out as written, and says so', async () => {
  const { container } = show('x'.repeat(100_001));
  expect((await screen.findByRole('note')).textContent).toContain('too complex to render');
  // A build draws no more than 20,000 characters of it (drawn.ts), and says how many there are.
  expect(container.querySelector('pre')?.textContent).toHaveLength(100_001);
});

it('says how much is left of a part that is too long to be drawn', async () => {
  const table = `${'|a'.repeat(1200)}|\n${'|-'.repeat(1200)}|\n${'|b|\n'.repeat(10_000)}`;
  const { container } = show(`${table}\nThe end`);
  await screen.findByText('Shown as plain text: this part is too large to render.');
  const { length } = table;
  expect(container.querySelector('pre')?.textContent.slice(19_990)).toBe(
    `${table.slice(19_990, 20_000)}… (${(length - 20_000).toLocaleString('en')} more characters)`,
  );
});

it('draws a long text in steps', async () => {
  const user = userEvent.setup();
  show(Array.from({ length: 1_000 }, (_, at) => `Paragraph ${at}`).join('\n\n'));
  await screen.findByText('Paragraph 0');
  expect(screen.queryByText('Paragraph 999')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show more (500 blocks left)' }));
  expect(screen.getByText('Paragraph 999')).toBeDefined();
});
