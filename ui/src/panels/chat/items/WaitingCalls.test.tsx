import { EditorView } from '@codemirror/view';
import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type {
  ChatCall,
  ChatDecision,
  ConnectionState,
  ServerId,
  ServerItem,
} from '../../../contract/generated';
import { CommandFailure } from '../../../host/host';
import { ScriptedHost } from '../../../host/scripted';
import { openConversation } from '../../../model/chat/conversation';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { Approval } from './Approval';
import { WaitingCalls } from './WaitingCalls';
import { CHAT, stateOf, waitingCall } from './WaitingCalls.fixture';

beforeEach(() => {
  // CodeMirror measures text, which jsdom cannot.
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
  Range.prototype.getBoundingClientRect = () => new DOMRect();
});

/** Calls that wait, and what can be done with each and with all. */
function open(calls: readonly ChatCall[], refused: readonly string[] = [], servers?: readonly ServerItem[]) {
  const refusal = new CommandFailure({ code: 'invalidParams', message: 'not an object', detail: null });
  const host = new ScriptedHost({
    chat_decide: ({ calls: [first = ''] }) => (refused.includes(first) ? refusal : {}),
  });
  const model = createModel(host);
  if (servers !== undefined) model.servers.setState({ items: [...servers] });
  const conversation = openConversation(host, CHAT);
  const page = (
    <MantineProvider env="test">
      <ModelProvider model={model}>
        {calls.map((call) => (
          <section key={call.id} aria-label={`call ${call.id}`}>
            <Approval call={call} conversation={conversation} />
          </section>
        ))}
        <WaitingCalls conversation={conversation} />
      </ModelProvider>
    </MantineProvider>
  );
  const { unmount } = render(page);
  const emit = (next: readonly ChatCall[]): void =>
    act(() =>
      host.stream('chat_open').emit({ type: 'items', items: next.map((call) => ({ type: 'call', call })) }),
    );
  act(() => host.stream('chat_open').emit(stateOf('answering', calls.length)));
  emit(calls);
  return {
    host,
    model,
    conversation,
    emit,
    /** Leaves the conversation, and comes back to it. */
    comeBack: (): void => {
      unmount();
      render(page);
    },
    decisions: (): [readonly string[], ChatDecision][] =>
      host.calls.flatMap(({ name, params }) => {
        if (name !== 'chat_decide') return [];
        const decided = params as { calls: string[]; decision: ChatDecision };
        return [[decided.calls, decided.decision]];
      }),
  };
}

const callOf = (id: string) => within(screen.getByRole('region', { name: `call ${id}` }));
const edit = (id: string) => fireEvent.click(callOf(id).getByRole('button', { name: 'Edit arguments' }));
const runAll = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Run all/ });
const textOf = (id: string) => callOf(id).getByRole('textbox', { name: 'Arguments to send' }).textContent;

/** Writes other arguments for a call. */
function change(id: string, text: string): void {
  edit(id);
  const view = EditorView.findFromDOM(callOf(id).getByRole('textbox', { name: 'Arguments to send' }));
  act(() => view?.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }));
}

const denyAll = () => fireEvent.click(screen.getByRole('button', { name: 'Deny all' }));
const reasonOf = (id: string) =>
  callOf(id).queryByRole<HTMLInputElement>('textbox', { name: 'Reason for the model (optional)' });

/** Opens the field for the reason to deny a call, and writes one. */
function writeReason(id: string, value: string): void {
  fireEvent.click(callOf(id).getByRole('button', { name: 'Deny…' }));
  fireEvent.change(reasonOf(id) as HTMLInputElement, { target: { value } });
}

function ran(editedJson: string | null): ChatDecision {
  return { type: 'run', editedJson, remember: null };
}

it('runs every call with its changed arguments, and the others in one', async () => {
  const { decisions } = open(['1', '2', '3', '4'].map((id) => waitingCall(id)));
  change('2', '{"of":"me"}');
  change('3', '{}');
  // An editor that was only opened changes nothing.
  edit('4');
  fireEvent.click(runAll());
  await waitFor(() => expect(decisions()).toHaveLength(3));
  expect(decisions()).toEqual([
    [['2'], ran('{"of":"me"}')],
    [['3'], ran('{}')],
    [['1', '4'], ran(null)],
  ]);
});

it('runs the arguments of the model when earlier changes of them are undone', async () => {
  const { decisions } = open(
    [1, 2, 3].map((id) => waitingCall(String(id), { editedJson: '{"of":"before"}' })),
  );
  for (const id of ['1', '2']) fireEvent.click(callOf(id).getByRole('button', { name: 'Undo changes' }));
  edit('2');
  for (const [id, name] of [
    ['1', 'Run once'],
    ['2', 'Run with changes'],
    ['3', 'Run with changes'],
  ] as const) {
    fireEvent.click(callOf(id).getByRole('button', { name }));
  }
  await waitFor(() => expect(decisions()).toHaveLength(3));
  expect(decisions()).toEqual([
    [['1'], ran('{"of":"1"}')],
    [['2'], ran('{"of":"2"}')],
    [['3'], ran('{"of":"before"}')],
  ]);
});

it('runs nothing more when changed arguments are refused', async () => {
  const { conversation, decisions } = open([waitingCall('1'), waitingCall('2')], ['2']);
  change('2', '[]');
  fireEvent.click(runAll());
  await waitFor(() => expect(conversation.getState().error?.message).toBe('not an object'));
  await act(async () => {});
  expect(decisions()).toEqual([[['2'], ran('[]')]]);
});

it('runs no calls while changed arguments are not valid JSON', () => {
  open([waitingCall('1'), waitingCall('2')]);
  change('2', '{"of":');
  expect(runAll().disabled).toBe(true);
  fireEvent.click(callOf('2').getByRole('button', { name: 'Undo changes' }));
  expect(runAll().disabled).toBe(false);
});

it('makes no rule while another call of the same server has changed arguments', async () => {
  const other = waitingCall('3', { serverId: 't' as ServerId, serverName: 'Mail' });
  const { emit } = open([waitingCall('1'), waitingCall('2'), other]);
  const rules = async (id: string): Promise<boolean[]> => {
    const menu = callOf(id).getByRole('button', { name: 'Run without asking again' });
    fireEvent.click(menu);
    const items = await screen.findAllByRole<HTMLButtonElement>('menuitem');
    const states = items.map(({ disabled }) => !disabled);
    fireEvent.click(menu);
    await waitFor(() => expect(screen.queryAllByRole('menuitem')).toEqual([]));
    return states;
  };
  change('2', '{}');
  expect(await rules('1')).toEqual([false, false, false, false]);
  // Its own changes are sent with the rule, and a rule for another server does not run it.
  expect(await rules('2')).toEqual([true, true, true, true]);
  expect(await rules('3')).toEqual([true, true, true, true]);
  emit([waitingCall('2', { state: 'running' })]);
  expect(await rules('1')).toEqual([true, true, true, true]);
});

it('keeps changed arguments while another conversation is shown, until the call is decided', () => {
  const { comeBack, emit } = open([waitingCall('1'), waitingCall('2')]);
  change('1', '{"kept":1}');
  comeBack();
  expect(textOf('1')).toContain('{"kept":1}');
  emit([waitingCall('1', { state: 'denied' })]);
  expect(callOf('1').queryByRole('textbox', { name: 'Arguments to send' })).toBeNull();
});

it('denies every call with the reason written for it, and the others in one', async () => {
  const { decisions } = open(['1', '2', '3', '4'].map((id) => waitingCall(id)));
  writeReason('2', 'not now');
  // A field without a reason.
  writeReason('3', ' ');
  writeReason('4', 'wrong folder');
  denyAll();
  await waitFor(() => expect(decisions()).toHaveLength(3));
  expect(decisions()).toEqual([
    [['2'], { type: 'deny', reason: 'not now' }],
    [['4'], { type: 'deny', reason: 'wrong folder' }],
    [['1', '3'], { type: 'deny', reason: '' }],
  ]);
});

it('denies nothing more when one of the calls is refused', async () => {
  const { conversation, decisions } = open([waitingCall('1'), waitingCall('2')], ['2']);
  writeReason('2', 'not now');
  denyAll();
  await waitFor(() => expect(conversation.getState().error?.message).toBe('not an object'));
  await act(async () => {});
  expect(decisions()).toEqual([[['2'], { type: 'deny', reason: 'not now' }]]);
});

it('keeps the reason to deny a call while another conversation is shown, until the call is decided', () => {
  const { comeBack, emit } = open([waitingCall('1'), waitingCall('2')]);
  writeReason('1', 'not now');
  comeBack();
  expect(reasonOf('1')?.value).toBe('not now');
  expect(reasonOf('2')).toBeNull();
  emit([waitingCall('1', { state: 'denied' })]);
  expect(reasonOf('1')).toBeNull();
});

it('gives the focus to the field of a reason when it is opened, not when the conversation is shown again', () => {
  const { comeBack } = open([waitingCall('1'), waitingCall('2')]);
  fireEvent.click(callOf('1').getByRole('button', { name: 'Deny…' }));
  expect(document.activeElement).toBe(reasonOf('1'));
  comeBack();
  expect(reasonOf('1')?.value).toBe('');
  expect(document.activeElement).toBe(document.body);
  fireEvent.click(callOf('2').getByRole('button', { name: 'Deny…' }));
  expect(document.activeElement).toBe(reasonOf('2'));
});

const server = (state: ConnectionState): ServerItem =>
  ({ id: 's', draft: { name: 'Files' }, connection: { state } }) as unknown as ServerItem;
const runOnce = (id: string) => callOf(id).getByRole<HTMLButtonElement>('button', { name: 'Run once' });

it('runs no call while its server is not connected, which it offers to do', () => {
  const { host, model } = open([waitingCall('1'), waitingCall('2')], [], [server('closed')]);
  expect([runOnce('1').disabled, runAll().disabled]).toEqual([true, true]);
  expect(callOf('1').getByText(/Files is not connected/)).toBeDefined();
  fireEvent.click(callOf('1').getByRole('button', { name: 'Connect' }));
  expect(host.calls.map(({ name }) => name)).toContain('connection_open');
  act(() => model.servers.setState({ items: [server('connecting')] }));
  expect(callOf('1').getByText(/Files is connecting/)).toBeDefined();
  act(() => model.servers.setState({ items: [server('ready')] }));
  expect([runOnce('1').disabled, runAll().disabled]).toEqual([false, false]);
  expect(callOf('1').queryByRole('button', { name: 'Connect' })).toBeNull();
});

it('lets a call of a removed server be denied only', () => {
  open([waitingCall('1'), waitingCall('2')], [], []);
  expect(runOnce('1').disabled).toBe(true);
  expect(callOf('1').getByText(/Files was removed/)).toBeDefined();
  expect(callOf('1').getByRole<HTMLButtonElement>('button', { name: 'Deny…' }).disabled).toBe(false);
});
