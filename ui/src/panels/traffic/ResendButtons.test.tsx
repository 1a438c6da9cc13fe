import { MantineProvider } from '@mantine/core';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { ConnectionId, ConnectionState, Seq, ServerId } from '../../contract/generated';
import { CommandFailure } from '../../host/host';
import { type Answers, ScriptedHost, keepsUiState } from '../../host/scripted';
import { connection, server } from '../../model/servers/servers.fixture';
import { aTool, toolPage } from '../../model/tools/tools.fixture';
import { row } from '../../model/traffic/trafficRows.fixture';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { ResendButtons } from './ResendButtons';

const SERVER = 's1' as ServerId;
const user = userEvent.setup();

/** The buttons of record 1, a request to a server that is ready; a restart makes it `connecting` until `become` says otherwise. */
async function open(answers: Answers = {}) {
  let state: ConnectionState = 'ready';
  let connectionId = 'c1' as ConnectionId;
  const host = new ScriptedHost({
    ...keepsUiState(),
    server_list: () => ({ items: [server(SERVER, connection({ state, connectionId }))] }),
    connection_restart: () => {
      state = 'connecting';
      connectionId = 'c2' as ConnectionId;
      return {};
    },
    traffic_message: ({ seq }) => ({
      serverId: SERVER,
      text: `{"id":${seq}}`,
      requestMethod: 'x/y',
      paramsJson: `{"from":${seq}}`,
      redactions: 0,
    }),
    ...answers,
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

/** The record is a call of this tool. */
const calls = (name: string): Answers => ({
  traffic_message: () => ({
    serverId: SERVER,
    text: '',
    requestMethod: 'tools/call',
    paramsJson: JSON.stringify({ name }),
    redactions: 0,
  }),
});
const sendAgain = () => user.click(screen.getByRole('button', { name: 'Send again' }));
const SAFE = aTool(0, 'safe');
const RISKY = aTool(1, 'risky', { hints: { ...SAFE.hints, readOnly: null } });

it('sends a call of a harmless tool at once, and lists the tools first if they are not yet', async () => {
  const { host, held } = await open({ ...calls('safe'), tool_list: () => toolPage([SAFE, RISKY]) });
  await sendAgain();
  await waitFor(() => expect(host.streams('request_send')).toHaveLength(1));
  await sendAgain();
  await waitFor(() => expect(host.streams('request_send')).toHaveLength(2));
  expect(held()).toBeNull();
  expect(host.calls.filter(({ name }) => name === 'tool_list')).toHaveLength(1);
});

it.each([
  ['that may be destructive', 'risky', /^Not sent yet: the tool it calls may be destructive/],
  ['that is not listed', 'other', /^Not sent yet: the tool it calls is not listed/],
])('holds a call of a tool %s although no tools were listed here before', async (_, name, reason) => {
  const { host, held } = await open({ ...calls(name), tool_list: () => toolPage([SAFE, RISKY]) });
  await sendAgain();
  await waitFor(() => expect(held()).toMatch(reason));
  expect(host.streams('request_send')).toEqual([]);
});

it('holds a call while the tools cannot be listed', async () => {
  const failure = new CommandFailure({ code: 'timedOut', message: 'no answer', detail: null });
  let answer: CommandFailure | ReturnType<typeof toolPage> = failure;
  const { host, held } = await open({ ...calls('safe'), tool_list: () => answer });
  await sendAgain();
  await waitFor(() => expect(held()).toMatch(/^Not sent yet: the tools of this server could not be listed/));
  expect(host.streams('request_send')).toEqual([]);
  answer = toolPage([SAFE]);
  await sendAgain();
  await waitFor(() => expect(host.streams('request_send')).toHaveLength(1));
});

it('judges a call after a reconnect by the tools of the new connection', async () => {
  let tools = [SAFE];
  const opened = await open({ ...calls('safe'), tool_list: () => toolPage(tools) });
  const { host, model, become, held } = opened;
  model.tools.ensure(SERVER, 'c1' as ConnectionId);
  await reconnect(opened);
  tools = [aTool(0, 'safe', { hints: RISKY.hints })];
  await become('ready');
  await waitFor(() => expect(held()).toMatch(/may be destructive/));
  expect(host.streams('request_send')).toEqual([]);
});

it('sends no other message that was written while the tools were listed', async () => {
  let list = (): void => {};
  const listed = new Promise<void>((resolve) => {
    list = resolve;
  });
  const { host, model, held } = await open({
    ...calls('safe'),
    tool_list: () => listed.then(() => toolPage([SAFE])),
  });
  await sendAgain();
  await waitFor(() => expect(host.calls.some(({ name }) => name === 'tool_list')).toBe(true));
  act(() => model.composer.change(SERVER, { params: '{"name":"risky"}' }));
  list();
  await waitFor(() =>
    expect(held()).toBe('Not sent: the message was changed while the tools of the server were listed.'),
  );
  expect(host.streams('request_send')).toEqual([]);
});
