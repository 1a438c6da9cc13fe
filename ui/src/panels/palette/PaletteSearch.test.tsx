import { MantineProvider } from '@mantine/core';
import { IconTool } from '@tabler/icons-react';
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ScriptedHost } from '../../host/scripted';
import type { Command } from '../../model/workspace/commands';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { PaletteSearch } from './PaletteSearch';

function command(label: string): Command {
  return { id: label, title: label, icon: IconTool, run: () => {} };
}

it('keeps the row of an entry when another comes before it', async () => {
  const model = createModel(new ScriptedHost());
  const palette = (...labels: string[]) => (
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <PaletteSearch
          commands={labels.map(command)}
          serverCommands={[]}
          groupCommands={[]}
          onChoose={() => {}}
        />
      </ModelProvider>
    </MantineProvider>
  );
  const { rerender } = render(palette('Open', 'Close'));
  const before = await screen.findByRole('option', { name: /^Close/ });
  rerender(palette('Restart', 'Open', 'Close'));
  await screen.findByRole('option', { name: /^Restart/ });
  expect(screen.getByRole('option', { name: /^Close/ })).toBe(before);
});
