import { MantineProvider } from '@mantine/core';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { useStore } from 'zustand';
import type { ConnectionState, ServerId } from '../../../contract/generated';
import { ScriptedHost, keepsUiState } from '../../../host/scripted';
import { emptyComposerDraft } from '../../../model/exchange/composer';
import { emptyHttpForm, httpDraftOf } from '../../../model/servers/httpForm';
import { connection, server } from '../../../model/servers/servers.fixture';
import { ModelProvider, createModel, useModel } from '../../../model/workspace/context';
import { ComposerBar } from './ComposerBar';

const SERVER = 's1' as ServerId;
const user = userEvent.setup();

/** The bar over the draft as it is now. */
function Bar() {
  const draft = useStore(useModel().composer, (drafts) => drafts[SERVER] ?? emptyComposerDraft);
  return <ComposerBar serverId={SERVER} draft={draft} disabledReason={null} onSend={() => {}} />;
}

it.each([
  ['the message', {}, 1, null],
  [
    'no message that was changed meanwhile',
    { params: '{"mine":2}' },
    0,
    'Not sent: the message was changed while the server reconnected.',
  ],
])('after it has reconnected, a server is sent %s', async (_, change, sent, held) => {
  let state: ConnectionState = 'ready';
  const host = new ScriptedHost({
    ...keepsUiState(),
    server_list: () => ({ items: [server(SERVER, connection({ state }))] }),
    connection_restart: () => {
      state = 'connecting';
      return {};
    },
  });
  const model = createModel(host);
  await Promise.all([model.ui.load(), model.servers.refresh()]);
  model.composer.change(SERVER, { method: 'x/y', params: '{"mine":1}' });
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <Bar />
      </ModelProvider>
    </MantineProvider>,
  );
  await user.click(screen.getByRole('button', { name: 'More ways to send' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Reconnect, then send' }));
  await waitFor(() => expect(model.servers.getState().items?.[0]?.connection.state).toBe('connecting'));
  act(() => model.composer.change(SERVER, change));
  await act(async () => {
    state = 'ready';
    await model.servers.refresh();
  });
  await waitFor(() => {
    expect(model.composer.getState()[SERVER]?.held).toBe(held);
    expect(host.streams('request_send')).toHaveLength(sent);
  });
});

it('names the servers that a draft can be copied to, those of one host too', async () => {
  const local = (port: string, title: string) => {
    const named = server(port, connection({ server: { name: title, title: null, version: null } }));
    const transport = httpDraftOf({ ...emptyHttpForm(), url: `http://127.0.0.1:${port}/mcp` });
    return { ...named, draft: { ...named.draft, name: `127.0.0.1:${port}`, transport } };
  };
  const items = [server(SERVER, connection({})), local('18080', 'weather'), local('18081', 'files')];
  const model = createModel(new ScriptedHost({ server_list: () => ({ items }) }));
  await model.servers.refresh();
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <Bar />
      </ModelProvider>
    </MantineProvider>,
  );
  await user.click(screen.getByRole('button', { name: 'More ways to send' }));
  const choices = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
  expect(choices).toEqual(['Reconnect, then send', 'weather (127.0.0.1:18080)', 'files (127.0.0.1:18081)']);
});
