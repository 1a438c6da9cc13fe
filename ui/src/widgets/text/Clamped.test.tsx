import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { Clamped } from './Clamped';

const show = (text: string) =>
  render(
    <MantineProvider env="test">
      <Clamped text={text} label="Description" />
    </MantineProvider>,
  );

it('shows a short text, the beginning of a long one, and all of it on request', async () => {
  const user = userEvent.setup();
  const short = show('short');
  expect(short.container.textContent).toContain('short');
  short.unmount();
  const long = show('x'.repeat(5_000));
  expect(/x{1000,}/.exec(long.container.textContent)?.[0]).toHaveLength(1_500);
  await user.click(screen.getByRole('button', { name: 'Show all 5,000 characters' }));
  expect(long.container.textContent).toContain('x'.repeat(5_000));
  long.unmount();
  // An editor draws only what can be seen of a text of any length.
  show('y'.repeat(300_000));
  await user.click(screen.getByRole('button', { name: 'Show all 300,000 characters' }));
  expect(screen.getByRole('textbox', { name: 'Description' })).toBeDefined();
});
