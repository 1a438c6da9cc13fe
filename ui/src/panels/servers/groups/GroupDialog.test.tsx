import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { ScriptedHost } from '../../../host/scripted';
import { connection, server } from '../../../model/servers/servers.fixture';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { GroupDialog } from './GroupDialog';

it('keeps what was entered when Escape is pressed', async () => {
  const host = new ScriptedHost({ server_list: () => ({ items: [server('a', connection({}))] }) });
  const model = createModel(host);
  await model.servers.refresh();
  const onClose = vi.fn<() => void>();
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <GroupDialog group={null} onClose={onClose} />
      </ModelProvider>
    </MantineProvider>,
  );
  const escape = (): void => void fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
  const box = screen.getByRole('checkbox', { name: /^a/ });
  fireEvent.click(box);
  escape();
  expect(onClose).not.toHaveBeenCalled();
  fireEvent.click(box);
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Work' } });
  escape();
  expect(onClose).not.toHaveBeenCalled();
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: '' } });
  escape();
  expect(onClose).toHaveBeenCalledOnce();
});
