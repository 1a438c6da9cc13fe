import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { ScriptedHost } from '../../../host/scripted';
import { connection, server } from '../../../model/servers/servers.fixture';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { ServerGroupsDialog } from './ServerGroupsDialog';

it('keeps what was entered when Escape is pressed, and saves it', async () => {
  const item = server('a', connection({}));
  const host = new ScriptedHost({ server_list: () => ({ items: [item] }), server_groups_set: () => ({}) });
  const onClose = vi.fn<() => void>();
  render(
    <MantineProvider env="test">
      <ModelProvider model={createModel(host)}>
        <ServerGroupsDialog server={item} onClose={onClose} />
      </ModelProvider>
    </MantineProvider>,
  );
  const escape = (): void => void fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
  const field = screen.getByRole('combobox', { name: 'Groups' });
  await userEvent.type(field, 'Wor');
  escape();
  expect(onClose).not.toHaveBeenCalled();
  await userEvent.type(field, 'k{Enter}');
  escape();
  expect(onClose).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(host.calls.find(({ name }) => name === 'server_groups_set')?.params).toEqual({
    serverId: 'a',
    groups: ['Work'],
  });
});
