import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { ScriptedHost } from '../../../host/scripted';
import { emptyHttpForm, httpDraftOf } from '../../../model/servers/httpForm';
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

it('finds a server by the name that it is shown by in the list', async () => {
  const items = Array.from({ length: 10 }, (_, n) => {
    const item = server(
      `${n}`,
      connection({ server: { name: `tool-box-${n}`, title: null, version: null } }),
    );
    const transport = httpDraftOf({ ...emptyHttpForm(), url: `http://127.0.0.1:808${n}/mcp` });
    return { ...item, draft: { ...item.draft, name: `127.0.0.1:808${n}`, transport } };
  });
  const model = createModel(new ScriptedHost({ server_list: () => ({ items }) }));
  await model.servers.refresh();
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <GroupDialog group={null} onClose={() => {}} />
      </ModelProvider>
    </MantineProvider>,
  );
  const find = (words: string): string[] => {
    fireEvent.change(screen.getByLabelText('Find servers'), { target: { value: words } });
    return screen
      .getAllByRole('checkbox')
      .map((box) => (box as HTMLInputElement).labels?.[0]?.textContent ?? '');
  };
  expect(find('box-3')).toEqual(['tool-box-3 (127.0.0.1:8083)Not connected']);
  expect(find('8084')).toEqual(['tool-box-4 (127.0.0.1:8084)Not connected']);
});
