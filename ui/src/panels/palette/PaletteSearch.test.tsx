import { MantineProvider } from '@mantine/core';
import { IconTool } from '@tabler/icons-react';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { ScriptedHost } from '../../host/scripted';
import type { Command } from '../../model/workspace/commands';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { PaletteSearch } from './PaletteSearch';
import type { PaletteEntry } from './search';

function command(label: string): Command {
  return { id: label, title: label, icon: IconTool, run: () => {} };
}

/** The palette, with the commands that it begins with. */
function open(...first: string[]) {
  const model = createModel(new ScriptedHost());
  const onChoose = vi.fn<(entry: PaletteEntry) => void>();
  const palette = (labels: string[]) => (
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <PaletteSearch
          commands={labels.map(command)}
          serverCommands={[]}
          groupCommands={[]}
          onChoose={onChoose}
        />
      </ModelProvider>
    </MantineProvider>
  );
  const { rerender } = render(palette(first));
  return { set: (...labels: string[]) => rerender(palette(labels)), onChoose };
}

it('keeps the row of an entry when another comes before it', async () => {
  const { set } = open('Open', 'Close');
  const before = await screen.findByRole('option', { name: /^Close/ });
  set('Restart', 'Open', 'Close');
  await screen.findByRole('option', { name: /^Restart/ });
  expect(screen.getByRole('option', { name: /^Close/ })).toBe(before);
});

it.each(['ArrowDown', 'ArrowUp', 'PageDown'])(
  'chooses the first entry that arrives after %s among none',
  async (key) => {
    const { set, onChoose } = open('Close');
    const field = screen.getByRole('combobox');
    fireEvent.change(field, { target: { value: 'Restart' } });
    expect(await screen.findByText(/^No matches/)).toBeDefined();
    fireEvent.keyDown(field, { key });
    set('Close', 'Restart');
    await screen.findByRole('option', { name: /^Restart/, selected: true });
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(onChoose.mock.calls.map(([{ id }]) => id)).toEqual([expect.stringContaining('Restart')]);
  },
);
