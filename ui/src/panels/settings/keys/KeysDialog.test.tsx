// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { IconBolt } from '@tabler/icons-react';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { ScriptedHost } from '../../../host/scripted';
import type { Command, ServerCommand } from '../../../model/workspace/commands';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { KeysDialog } from './KeysDialog';

const nothing = (): void => {};
const COMMANDS: Command[] = [
  ['palette', 'Command palette'],
  ['server', 'Go to a server'],
  ['dock', 'Show or hide the dock'],
  ['dark', 'Dark theme'],
].map(([id = '', title = '']) => ({ id, title, icon: IconBolt, run: nothing }));
const SERVER_COMMANDS: ServerCommand[] = [
  { id: 'restart', title: 'Restart', titleFor: (name) => `Restart ${name}`, icon: IconBolt, run: nothing },
];

async function open(shortcuts: Record<string, unknown> = {}) {
  const host = new ScriptedHost({
    ui_state_get: () => ({ stateJson: JSON.stringify({ shortcuts }) }),
    ui_state_set: () => ({}),
  });
  const model = createModel(host);
  await model.ui.load();
  const onClose = vi.fn<() => void>();
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <KeysDialog commands={COMMANDS} serverCommands={SERVER_COMMANDS} onClose={onClose} />
      </ModelProvider>
    </MantineProvider>,
  );
  const row = (title: string) => within(screen.getByRole('group', { name: title }));
  return {
    onClose,
    row,
    chosen: () => model.ui.getState().shortcuts,
    keysOf: (title: string) => screen.getByRole('group', { name: title }).querySelectorAll('kbd'),
    /** Begins to change the keys of a command, and presses some. */
    change(title: string, ...presses: object[]): void {
      fireEvent.click(row(title).getByRole('button', { name: `Change the keys of ${title}` }));
      for (const press of presses) {
        fireEvent.keyDown(row(title).getByRole('textbox', { name: `New keys for ${title}` }), press);
      }
    },
    titles: () => screen.queryAllByRole('group').map((each) => each.getAttribute('aria-label')),
  };
}

describe('the keys of commands', () => {
  it('are changed by pressing others, removed and reset', async () => {
    const { row, chosen, change } = await open();
    change('Restart', { key: 'Control', ctrlKey: true }, { key: 'B', ctrlKey: true, shiftKey: true });
    expect(chosen()).toEqual({ restart: 'Mod+Shift+B' });
    expect(row('Restart').getByText('B')).toBeDefined();
    fireEvent.click(row('Restart').getByRole('button', { name: 'Reset Restart to no keys' }));
    expect(chosen()).toEqual({});
    fireEvent.click(
      row('Command palette').getByRole('button', { name: 'Remove the keys of Command palette' }),
    );
    expect(chosen()).toEqual({ palette: '' });
    expect(row('Command palette').getByText('None')).toBeDefined();
    fireEvent.click(row('Command palette').getByRole('button', { name: 'Reset Command palette to Ctrl+K' }));
    expect(chosen()).toEqual({});
  });

  it('stay as they are at Escape, which does not close the dialog, and at Tab', async () => {
    const { chosen, change, onClose } = await open();
    change('Dark theme', { key: 'Escape' });
    change('Dark theme', { key: 'Tab' });
    expect(chosen()).toEqual({});
    expect(screen.queryByRole('textbox', { name: /New keys/ })).toBeNull();
    expect(onClose).not.toHaveBeenCalled();
  });

  it('stay as they are when the focus goes elsewhere, which it does', async () => {
    const { row, chosen, change } = await open();
    change('Restart', { key: 'k', ctrlKey: true });
    const recorder = row('Restart').getByRole('textbox');
    // Another window gets the focus.
    fireEvent.blur(recorder);
    // A button of the row is pressed, which does not take the focus.
    expect(fireEvent.mouseDown(row('Restart').getByRole('button', { name: 'Use here instead' }))).toBe(false);
    expect(document.activeElement).toBe(recorder);
    const search = screen.getByLabelText('Search shortcuts');
    act(() => search.focus());
    expect(row('Restart').queryByRole('textbox')).toBeNull();
    expect(row('Restart').queryByRole('alert')).toBeNull();
    expect(document.activeElement).toBe(search);
    expect(chosen()).toEqual({});
    change('Restart', { key: 'F9' });
    expect(chosen()).toEqual({ restart: 'F9' });
  });

  it('name the command that has them, and are taken from it only if the user says so', async () => {
    const { row, chosen, change } = await open();
    change('Restart', { key: 'k', ctrlKey: true });
    expect(row('Restart').getByRole('alert').textContent).toContain('Ctrl+K is used by “Command palette”.');
    fireEvent.click(row('Restart').getByRole('button', { name: 'Cancel' }));
    expect(chosen()).toEqual({});
    change('Restart', { key: 'k', ctrlKey: true });
    fireEvent.click(row('Restart').getByRole('button', { name: 'Use here instead' }));
    expect(chosen()).toEqual({ palette: '', restart: 'Mod+K' });
  });

  it('are refused with the reason, and other keys can be pressed at once', async () => {
    const { row, chosen, change } = await open();
    change('Restart', { key: 'w', ctrlKey: true });
    expect(row('Restart').getByRole('alert').textContent).toContain('closes the tab or the window');
    fireEvent.keyDown(row('Restart').getByRole('textbox'), { key: 'p', ctrlKey: true });
    expect(row('Restart').getByRole('alert').textContent).toContain('In a browser, Ctrl+P prints.');
    expect(chosen()).toEqual({});
    fireEvent.click(row('Restart').getByRole('button', { name: 'Use anyway' }));
    expect(chosen()).toEqual({ restart: 'Mod+P' });
  });

  it('of a range are a digit with other modifiers', async () => {
    const { row, chosen, change } = await open();
    change('Go to a server', { key: 'x', altKey: true });
    expect(row('Go to a server').getByRole('alert').textContent).toContain('Press a digit');
    fireEvent.keyDown(row('Go to a server').getByRole('textbox'), { key: '4', altKey: true });
    expect(chosen()).toEqual({ server: 'Alt+1…9' });
  });

  it('are found by words and by pressing keys', async () => {
    const { titles } = await open({ restart: 'Mod+B' });
    fireEvent.change(screen.getByLabelText('Search shortcuts'), { target: { value: 'ctrl+b' } });
    expect(titles()).toEqual(['Restart']);
    fireEvent.change(screen.getByLabelText('Search shortcuts'), { target: { value: 'theme dark' } });
    expect(titles()).toEqual(['Dark theme']);
    fireEvent.click(screen.getByRole('button', { name: 'Search by pressing keys' }));
    fireEvent.keyDown(screen.getByRole('textbox', { name: 'Search by keys' }), { key: '3', ctrlKey: true });
    expect(titles()).toEqual(['Go to a server']);
    const recorder = screen.getByRole('textbox', { name: 'Search by keys' });
    fireEvent.keyDown(recorder, { key: '{', ctrlKey: true, shiftKey: true });
    expect(titles()).toEqual([]);
    expect(screen.getByText('Fold, unfold')).toBeDefined();
    fireEvent.keyDown(recorder, { key: 'F9' });
    expect(screen.getByText('F9 is free.')).toBeDefined();
  });

  it('are reset all at once; what a newer version saved is kept', async () => {
    const newer = { later: 'Mod+B', dark: { chord: [] } };
    const { chosen, row } = await open({ ...newer, palette: 'F2', restart: 'F4' });
    expect(row('Dark theme').getByText('None')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Reset all' }));
    expect(chosen()).toEqual(newer);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Reset all' }).disabled).toBe(true);
  });
});
