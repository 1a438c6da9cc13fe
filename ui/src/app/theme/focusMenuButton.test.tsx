import { MantineProvider, Menu, Modal } from '@mantine/core';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { theme } from './theme';

function Example() {
  const [opened, setOpened] = useState(false);
  return (
    <MantineProvider env="test" theme={theme}>
      <Menu>
        <Menu.Target>
          <button>More</button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpened(true)}>Export…</Menu.Item>
          <Menu.Item closeMenuOnClick={false}>Sure?</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={opened} onClose={() => setOpened(false)} title="Export">
        <input aria-label="File" />
      </Modal>
    </MantineProvider>
  );
}

it('a dialog that was opened from a menu gives the focus back to its button', async () => {
  render(<Example />);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'More' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Export…' }));
  await screen.findByRole('dialog', { name: 'Export' });
  await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull());
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'More' })));
});

it('an item that keeps its menu open keeps the focus', async () => {
  render(<Example />);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'More' }));
  const item = await screen.findByRole('menuitem', { name: 'Sure?' });
  await user.click(item);
  await waitFor(() => expect(document.activeElement).toBe(item));
});
