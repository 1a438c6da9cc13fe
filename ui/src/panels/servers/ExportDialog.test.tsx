import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { CommandFailure } from '../../host/host';
import { ScriptedHost } from '../../host/scripted';
import { connection, server } from '../../model/servers/servers.fixture';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { ExportDialog } from './ExportDialog';

it('does not show the text of another host while that of the chosen one is missing', async () => {
  const host = new ScriptedHost({
    server_export: ({ format }) =>
      format === 'mcpServers'
        ? { text: '{"a":1}', syntax: 'json', path: null, notes: ['A note.'] }
        : new CommandFailure({ code: 'internal', message: 'It failed.', detail: null }),
  });
  render(
    <MantineProvider env="test">
      <ModelProvider model={createModel(host)}>
        <ExportDialog server={server('s', connection({}))} onClose={vi.fn()} />
      </ModelProvider>
    </MantineProvider>,
  );
  await screen.findByText('A note.');
  const box = screen.getByRole('combobox', { name: 'Host' });
  fireEvent.click(box);
  fireEvent.click(screen.getByRole('option', { name: /Codex/, hidden: true }));
  await waitFor(() => expect(screen.queryByText('It failed.')).not.toBeNull());
  expect(screen.queryByText('A note.')).toBeNull();
  expect(screen.queryByText(/The format most hosts read/)).toBeNull();
});
