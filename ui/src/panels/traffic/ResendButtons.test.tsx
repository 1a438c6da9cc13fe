import { MantineProvider } from '@mantine/core';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { ConnectionState, Seq, ServerId } from '../../contract/generated';
import { ScriptedHost, keepsUiState } from '../../host/scripted';
import { connection, server } from '../../model/servers/servers.fixture';
import { row } from '../../model/traffic/trafficRows.fixture';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { ResendButtons } from './ResendButtons';

const SERVER = 's1' as ServerId;
const user = userEvent.setup();

/** The buttons of record 1, a request to a server that is ready; a restart makes it `connecting` until `become` says otherwise. */
async function open() {
  let state: ConnectionState = 'ready';
  const host = new ScriptedHost({
    ...keepsUiState(),
    server_list: () => ({ items: [server(SERVER, connection({ state }))] }),
    connection_restart: () => {
      state = 'connecting';
      return {};
    },
    traffic_message: ({ seq }) => ({
      serverId: SERVER,
      text: `{"id":${seq}}`,
      requestMethod: 'x/y',
      paramsJson: `{"from":${seq}}`,
      redactions: 0,
    }),
  });
  const model = createModel(host);
  await Promise.all([model.ui.load(), model.servers.refresh()]);
  const sent = row(1, { kind: 'request', direction: 'clientToServer', serverId: SERVER });
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <ResendButtons row={sent} onError={() => {}} />
      </ModelProvider>
    </MantineProvider>,
  );
  const become = (next: ConnectionState): Promise<void> =>
    act(async () => {
      state = next;
      await model.servers.refresh();
    });
  return { host, model, become, held: () => model.composer.getState()[SERVER]?.held };
}

/** Has the record sent again on a new connection, which is not ready yet. */
async function reconnect({ host, model }: Awaited<ReturnType<typeof open>>): Promise<void> {
  await user.click(screen.getByRole('button', { name: 'More ways to send again' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Reconnect, then send again' }));
  await waitFor(() => expect(model.servers.getState().items?.[0]?.connection.state).toBe('connecting'));
  expect(host.streams('request_send')).toEqual([]);
}

it('sends the message once the server has reconnected', async () => {
  const opened = await open();
  const { host, model, become, held } = opened;
  await reconnect(opened);
  // As an editor does that shows the text.
  model.composer.change(SERVER, { params: '{"from":1}' });
  await become('ready');
  await waitFor(() => expect(host.stream('request_send').params).toMatchObject({ paramsJson: '{"from":1}' }));
  expect(held()).toBeNull();
});

it('sends no other message that was written while the server reconnected', async () => {
  const opened = await open();
  const { host, model, become, held } = opened;
  await reconnect(opened);
  await model.composer.load('2' as Seq);
  await become('ready');
  await waitFor(() => expect(held()).toBe('Not sent: the message was changed while the server reconnected.'));
  expect(host.streams('request_send')).toEqual([]);
});
