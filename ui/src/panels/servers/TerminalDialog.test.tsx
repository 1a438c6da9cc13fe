import { MantineProvider } from '@mantine/core';
import { render, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { ScriptedHost } from '../../host/scripted';
import { connection, server } from '../../model/servers/servers.fixture';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { TerminalDialog } from './TerminalDialog';

it('has the focus before the command is known, when there is nothing to copy', async () => {
  const host = new ScriptedHost({ terminal_command: () => new Promise(() => {}) });
  render(
    <MantineProvider env="test">
      <ModelProvider model={createModel(host)}>
        <TerminalDialog
          server={server('s', connection({}))}
          error={{ code: 'internal', message: 'No terminal was found.', detail: null }}
          onClose={vi.fn()}
        />
      </ModelProvider>
    </MantineProvider>,
  );
  const dialog = within(await screen.findByRole('dialog'));
  const close = dialog.getAllByRole('button', { name: 'Close' }).at(-1);
  await waitFor(() => expect(document.activeElement).toBe(close));
});
