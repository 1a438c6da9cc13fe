import { MantineProvider, Menu } from '@mantine/core';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { theme } from './theme';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame'] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function open(): Promise<(name: string) => HTMLElement> {
  render(
    <MantineProvider env="test" theme={theme}>
      <Menu>
        <Menu.Target>
          <button>Presets</button>
        </Menu.Target>
        <Menu.Dropdown>
          <div>
            <Menu.Item>Answer</Menu.Item>
            <button role="menuitem">Delete Answer</button>
          </div>
          <Menu.Item>Save…</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </MantineProvider>,
  );
  screen.getByRole('button', { name: 'Presets' }).focus();
  fireEvent.click(screen.getByRole('button', { name: 'Presets' }));
  await Promise.resolve();
  return (name) => screen.getByRole('menuitem', { name });
}

it('the first item of a menu has the focus before any timer runs, whatever Tab would reach first', async () => {
  const item = await open();
  expect(document.activeElement).toBe(item('Answer'));
  vi.runAllTimers();
  expect(document.activeElement).toBe(item('Answer'));
});

it('a key that was pressed at once is not undone', async () => {
  const item = await open();
  fireEvent.keyDown(item('Answer'), { key: 'ArrowDown' });
  expect(document.activeElement).toBe(item('Save…'));
  vi.runAllTimers();
  expect(document.activeElement).toBe(item('Save…'));
});

it('what an item gives the focus to keeps it, also when it is chosen at once', async () => {
  const item = await open();
  const elsewhere = document.createElement('input');
  document.body.append(elsewhere);
  fireEvent.click(item('Save…'));
  elsewhere.focus();
  vi.runAllTimers();
  expect(document.activeElement).toBe(elsewhere);
  elsewhere.remove();
});

it('the button has the focus again when the menu is closed', async () => {
  const item = await open();
  vi.useRealTimers();
  fireEvent.keyDown(item('Answer'), { key: 'Escape' });
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Presets' })));
});
