import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { SettingsRow } from './SettingsRow';

it('has the focus on Cancel while it asks before removing, and back on the button then', async () => {
  const user = userEvent.setup();
  render(
    <MantineProvider env="test">
      <SettingsRow name="a" lines={[]} onEdit={() => {}} onRemove={() => Promise.resolve()} />
    </MantineProvider>,
  );
  const focus = () => document.activeElement?.textContent;
  expect(document.activeElement).toBe(document.body);
  await user.click(screen.getByRole('button', { name: 'Remove…' }));
  expect(focus()).toBe('Cancel');
  await user.keyboard('{Enter}');
  expect(focus()).toBe('Remove…');
});
