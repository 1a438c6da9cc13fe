import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type {
  AnsweredInput,
  InputId,
  InputItem,
  Seq,
  ServerId,
  WithdrawnInput,
} from '../../contract/generated';
import { CommandFailure } from '../../host/host';
import { ScriptedHost } from '../../host/scripted';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { input } from '../../model/inbox/inputs.fixture';
import { row } from '../../model/traffic/trafficRows.fixture';
import { Inbox } from './Inbox';
import { InputDialog } from './InputDialog';

const ASKING = input('1', {
  aboutSeq: '12' as Seq,
  paramsJson:
    '{"message":"Who are you?","requestedSchema":{"type":"object","properties":{"name":{"type":"string","default":"Ada"}}}}',
});

const ANSWERED: AnsweredInput = {
  serverId: 's' as ServerId,
  serverName: 'everything',
  kind: 'roots',
  seq: '7' as Seq,
  aboutSeq: null,
  outcome: 'accepted',
  rule: 'no roots (server settings)',
  atMs: 1,
};

/** The inbox, and the dialog of its first request if `opened`. */
async function open(
  queue: { items: InputItem[]; withdrawn: WithdrawnInput[] },
  opened: boolean,
  answers: ConstructorParameters<typeof ScriptedHost>[0] = {},
) {
  const host = new ScriptedHost({
    ui_state_get: () => ({ stateJson: null }),
    input_list: () => ({ answered: [ANSWERED], ...structuredClone(queue) }),
    input_answer: () => ({}),
    traffic_record: ({ seq }) => ({
      row: row(Number(seq), { kind: 'request', method: 'tools/call', summary: 'ask_name' }),
      raw: { inline: '', body: host.setBody('r', ''), size: 0, pretty: null },
      bytes: host.setBody('r', ''),
      isUtf8: true,
      redactions: 0,
      violations: [],
      pair: null,
      related: [],
      http: null,
    }),
    ...answers,
  });
  const model = createModel(host);
  await model.inputs.refresh();
  const onClose = vi.fn();
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <Inbox />
        {opened && <InputDialog inputId={'1' as InputId} onClose={onClose} />}
      </ModelProvider>
    </MantineProvider>,
  );
  const sent = (): unknown[] =>
    host.calls.filter(({ name }) => name === 'input_answer').map(({ params }) => params);
  return { host, model, onClose, sent };
}

const press = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }));

describe('the inbox', () => {
  it('shows who asks what, and during which call', async () => {
    const sampling = input('2', { kind: 'sampling', method: 'sampling/createMessage' });
    const { model } = await open({ items: [ASKING, sampling], withdrawn: [] }, false);
    expect(screen.getByTestId('inbox-count').textContent).toBe('2');
    const card = await screen.findByRole('button', {
      name: 'everything requests your input, during tools/call ask_name',
    });
    fireEvent.click(card);
    expect(model.workspace.getState().dialog).toEqual({ type: 'input', inputId: '1' });
    card.focus();
    fireEvent.keyDown(card, { key: 'ArrowDown' });
    expect(document.activeElement?.textContent).toContain('Sampling');
  });

  it('says what was withdrawn and why, until that is dismissed', async () => {
    const withdrawn = {
      id: '9' as InputId,
      serverName: 'everything',
      method: 'roots/list',
      reason: 'The connection was closed.',
      atMs: 1,
    };
    await open({ items: [], withdrawn: [withdrawn] }, false);
    expect(screen.getByText(/The connection was closed/)).toBeDefined();
    press('Clear withdrawn requests');
    expect(screen.getByText('No pending requests')).toBeDefined();
  });
});

describe('the history of requests', () => {
  it('says what was answered and by whom, and shows the record', async () => {
    const { model } = await open({ items: [], withdrawn: [] }, false);
    expect(screen.queryByRole('list', { name: 'Answered requests' })).toBeNull();
    press('Show answered requests');
    const list = screen.getByRole('list', { name: 'Answered requests' });
    expect(list.textContent).toContain('Answered by rule: no roots (server settings)');
    fireEvent.click(within(list).getByRole('button'));
    expect(model.workspace.getState().revealRequest).toEqual({ seq: '7' });
    press('Hide answered requests');
    expect(screen.queryByRole('list', { name: 'Answered requests' })).toBeNull();
  });
});

describe('the dialog of a request', () => {
  it('shows the whole request and sends the answer as it is there', async () => {
    const { sent, onClose } = await open({ items: [ASKING], withdrawn: [] }, true);
    const dialog = screen.getByRole('dialog', { name: /everything requests your input/ });
    expect(within(dialog).getByText('Who are you?')).toBeDefined();
    expect(await within(dialog).findByText(/tools\/call ask_name/)).toBeDefined();
    press('Send answer');
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(sent()).toEqual([
      {
        inputId: '1',
        answer: {
          type: 'result',
          json: '{\n  "action": "accept",\n  "content": {\n    "name": "Ada"\n  }\n}',
        },
      },
    ]);
  });

  it('tells declining and cancelling apart', async () => {
    const { sent } = await open({ items: [ASKING], withdrawn: [] }, true);
    press('Decline');
    await waitFor(() => expect(sent().length).toBe(1));
    expect(sent()).toEqual([{ inputId: '1', answer: { type: 'result', json: '{"action":"decline"}' } }]);
  });

  it('sends no invalid JSON, and asks again before it sends what does not match', async () => {
    const { model, sent } = await open({ items: [ASKING], withdrawn: [] }, true);
    act(() => model.inputs.keepDraft(ASKING.id, '{"action":'));
    const send = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
    expect(send('Send answer').disabled).toBe(true);
    act(() => model.inputs.keepDraft(ASKING.id, '{"action":"accept","content":{"name":1}}'));
    expect(screen.getByText('content.name')).toBeDefined();
    press('Send answer');
    expect(sent()).toEqual([]);
    press('Send anyway');
    await waitFor(() => expect(sent().length).toBe(1));
  });

  it('has a form for the requested fields, with the JSON of the answer one click away', async () => {
    const asking = input('1', {
      paramsJson:
        '{"message":"Who?","requestedSchema":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"size":{"oneOf":[{"const":"s","title":"Small"}]}}}}',
    });
    const { model, sent } = await open({ items: [asking], withdrawn: [] }, true);
    const field = await screen.findByRole('textbox', { name: /name/ });
    const size = screen.getByRole<HTMLInputElement>('combobox', { name: /size/ });
    // What is not in the answer is not shown as chosen.
    expect(size.value).toBe('');
    press('Send answer');
    expect(screen.getByText('content.name')).toBeDefined();
    expect(sent()).toEqual([]);
    fireEvent.change(field, { target: { value: 'Ada' } });
    expect(JSON.parse(model.inputs.getState().drafts[asking.id]!)).toEqual({
      action: 'accept',
      content: { name: 'Ada' },
    });
    fireEvent.click(screen.getByRole('radio', { name: 'JSON' }));
    expect(screen.getByRole('textbox', { name: 'Answer as JSON' }).textContent).toContain('Ada');
    press('Send answer');
    await waitFor(() => expect(sent().length).toBe(1));
  });

  it('stays pending when it is closed, and keeps the draft', async () => {
    const { model, onClose, sent } = await open({ items: [ASKING, input('2')], withdrawn: [] }, true);
    act(() => model.inputs.keepDraft(ASKING.id, '{"action":"decline"}'));
    press('Later');
    expect(onClose).toHaveBeenCalledOnce();
    expect(sent()).toEqual([]);
    const { drafts, offered } = model.inputs.getState();
    expect(drafts[ASKING.id]).toBe('{"action":"decline"}');
    // Who says "later" is not asked the next one at once.
    expect([...offered]).toEqual(['1', '2']);
  });

  it('says that it was withdrawn and offers nothing to send', async () => {
    const queue: { items: InputItem[]; withdrawn: WithdrawnInput[] } = { items: [ASKING], withdrawn: [] };
    const { host } = await open(queue, true);
    queue.items = [];
    queue.withdrawn = [
      {
        id: ASKING.id,
        serverName: 'everything',
        method: ASKING.method,
        reason: 'The call was cancelled.',
        atMs: 1,
      },
    ];
    act(() => host.stream('app_watch').emit({ topic: 'inputs', serverId: null, revision: 2 }));
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Withdrawn. The call was cancelled.');
    expect(screen.queryByRole('button', { name: 'Send answer' })).toBeNull();
  });

  it('stays open with the reason when the answer is not taken', async () => {
    const refusal = new CommandFailure({
      code: 'notFound',
      message: 'The server no longer waits for it.',
      detail: null,
    });
    const { onClose } = await open({ items: [ASKING], withdrawn: [] }, true, {
      input_answer: () => refusal,
    });
    press('Send answer');
    expect((await screen.findByRole('alert')).textContent).toContain('no longer waits');
    expect(onClose).not.toHaveBeenCalled();
  });
});
