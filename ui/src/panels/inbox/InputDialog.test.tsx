import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { ExchangeId, InputId, InputItem, Seq, WithdrawnInput } from '../../contract/generated';
import { CommandFailure } from '../../host/host';
import { input, withdrawn } from '../../model/inbox/inputs.fixture';
import { begunAnswers } from '../../model/inbox/request/keptAnswers';
import { row } from '../../model/traffic/trafficRows.fixture';
import { openInbox } from './inbox.fixture';

const ASKING = input('1', {
  aboutSeq: '12' as Seq,
  paramsJson:
    '{"message":"Who are you?","requestedSchema":{"type":"object","properties":{"name":{"type":"string","default":"Ada"}}}}',
});

const button = (name: string): HTMLElement => screen.getByRole('button', { name });
const press = (name: string): void => void fireEvent.click(button(name));

/** Keys right after opening are taken for others: these come so many ms later. */
function laterBy(ms: number): void {
  const now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => now + ms);
}

describe('the inbox', () => {
  it('shows who asks what, and during which call', async () => {
    const sampling = input('2', { kind: 'sampling', method: 'sampling/createMessage' });
    const { model } = await openInbox({ items: [ASKING, sampling], withdrawn: [] }, false);
    expect(screen.getByTestId('inbox-count').textContent).toBe('2');
    const card = await screen.findByRole('button', {
      name: 'everything requests your input, during tools/call ask_name, 1 of 2',
    });
    fireEvent.click(card);
    expect(model.workspace.getState().openInput).toBe('1');
    card.focus();
    fireEvent.keyDown(card, { key: 'ArrowDown' });
    expect(document.activeElement?.textContent).toContain('Sampling');
  });

  it('says what was withdrawn and why, until that is dismissed', async () => {
    const gone = withdrawn('9', { reason: 'The connection was closed.', atMs: Date.now() });
    await openInbox({ items: [], withdrawn: [gone] }, false);
    expect(screen.getByText(/The connection was closed/)).toBeDefined();
    press('Clear withdrawn requests');
    expect(screen.queryByText(/The connection was closed/)).toBeNull();
  });

  it('lets withdrawn requests leave by themselves; the history has them', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const gone = withdrawn('9', { reason: 'The server withdrew it.', atMs: Date.now() });
    await openInbox({ items: [], withdrawn: [gone] }, false);
    expect(screen.getByText(/The server withdrew it/)).toBeDefined();
    act(() => void vi.advanceTimersByTime(15_100));
    expect(screen.queryByText(/The server withdrew it/)).toBeNull();
    press('Show answered requests');
    expect(screen.getByText('Withdrawn after 1.50 s: The server withdrew it.')).toBeDefined();
    vi.useRealTimers();
  });

  it('numbers the queue, and names the calls a request may belong to', async () => {
    const cause = (seq: string) => ({ seq: seq as Seq, exchange: seq as ExchangeId });
    const one = input('1', { during: [cause('12')] });
    const several = input('2', { during: [cause('12'), cause('13')] });
    await openInbox({ items: [one, several], withdrawn: [] }, false);
    expect(await screen.findByRole('button', { name: /during tools\/call ask_name, 1 of 2$/ })).toBeDefined();
    expect(screen.getByRole('button', { name: /during one of 2 running requests, 2 of 2$/ })).toBeDefined();
  });

  it('offers to decline all requests of a server that asks without end', async () => {
    const items = Array.from({ length: 7 }, (_, at) => input(String(at)));
    const { model, sent } = await openInbox({ items, withdrawn: [] }, false);
    act(() => items.forEach(({ id }) => void model.inputs.offerAutomatically(id)));
    expect(screen.getByText(/sent more than 5 requests within a minute/)).toBeDefined();
    press('Decline all 7');
    await waitFor(() => expect(sent()).toHaveLength(7));
  });

  it('declines no request whose answer was begun with the others', async () => {
    const items = Array.from({ length: 7 }, (_, at) => input(String(at)));
    const { model, sent } = await openInbox({ items, withdrawn: [] }, false);
    act(() => {
      items.forEach(({ id }) => void model.inputs.offerAutomatically(id));
      model.inputs.keepDraft('3' as InputId, '{"action":"accept","content":{"name":"Ada"}}');
    });
    press('Decline all 6');
    await waitFor(() => expect(sent()).toHaveLength(6));
    expect(JSON.stringify(sent())).not.toContain('"inputId":"3"');
  });

  it('turns notifications off and on, where there are any', async () => {
    let permission: 'granted' | 'unasked' = 'unasked';
    const request = vi.fn(() => {
      permission = 'granted';
      return Promise.resolve();
    });
    const notifier = { permission: () => permission, request, show: vi.fn() };
    const { model } = await openInbox({ items: [], withdrawn: [] }, false, {}, { notifier });
    press('Background notifications: off');
    await screen.findByRole('button', { name: 'Background notifications: on' });
    expect(request).toHaveBeenCalledOnce();
    press('Background notifications: on');
    expect(model.ui.getState().notifies).toBe(false);
  });
});

describe('the history of requests', () => {
  it('says what was answered and by whom, and shows the record', async () => {
    const { model } = await openInbox({ items: [], withdrawn: [] }, false);
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
    const { sent, onClose } = await openInbox({ items: [ASKING], withdrawn: [] }, true);
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
    const { sent } = await openInbox({ items: [ASKING], withdrawn: [] }, true);
    press('Decline');
    await waitFor(() => expect(sent().length).toBe(1));
    expect(sent()).toEqual([{ inputId: '1', answer: { type: 'result', json: '{"action":"decline"}' } }]);
  });

  it('sends no invalid JSON, and asks again before it sends what does not match', async () => {
    const { model, sent } = await openInbox({ items: [ASKING], withdrawn: [] }, true);
    act(() => model.inputs.keepDraft(ASKING.id, '{"action":'));
    const send = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
    expect(send('Send answer').disabled).toBe(true);
    act(() => model.inputs.keepDraft(ASKING.id, '{"action":"accept","content":{"name":1}}'));
    expect(await screen.findByRole('button', { name: 'name' })).toBeDefined();
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
    const { model, sent } = await openInbox({ items: [asking], withdrawn: [] }, true);
    const field = await screen.findByRole('textbox', { name: /name/ });
    const size = screen.getByRole<HTMLInputElement>('combobox', { name: /size/ });
    // What is not in the answer is not shown as chosen.
    expect(size.value).toBe('');
    press('Send answer');
    // It is said once, at the field; below is the way to it.
    expect(screen.getAllByText('is required')).toHaveLength(1);
    press('name');
    expect(document.activeElement).toBe(field);
    fireEvent.click(screen.getByRole('radio', { name: 'JSON' }));
    expect(screen.getByText('content.name').parentElement?.textContent).toContain('is required');
    fireEvent.click(screen.getByRole('radio', { name: 'Form' }));
    expect(sent()).toEqual([]);
    fireEvent.change(screen.getByRole('textbox', { name: /name/ }), { target: { value: 'Ada' } });
    expect(JSON.parse(model.inputs.getState().drafts[asking.id]!)).toEqual({
      action: 'accept',
      content: { name: 'Ada' },
    });
    // It is there again after a reload: no field may be a secret.
    const answers = begunAnswers(model.inputs.getState(), model.sampling.getState());
    expect(answers).toMatchObject([{ draft: expect.stringContaining('Ada') as string }]);
    fireEvent.click(screen.getByRole('radio', { name: 'JSON' }));
    expect(screen.getByRole('textbox', { name: 'Answer as JSON' }).textContent).toContain('Ada');
    press('Send answer');
    await waitFor(() => expect(sent().length).toBe(1));
  });

  it('stays pending when it is closed, and keeps the draft', async () => {
    const { model, onClose, sent } = await openInbox({ items: [ASKING, input('2')], withdrawn: [] }, true);
    act(() => model.inputs.keepDraft(ASKING.id, '{"action":"decline"}'));
    expect(button('Later').dataset['tip']).toBe('Keeps it in the inbox; Ctrl+I opens it again');
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
    const { host, model } = await openInbox(queue, true);
    act(() => model.inputs.keepDraft(ASKING.id, '{"action":"accept","content":{"name":1}}'));
    await waitFor(() => expect(document.querySelector('[data-invalid]')).not.toBeNull());
    queue.items = [];
    queue.withdrawn = [withdrawn('1', { reason: 'The call was cancelled.' })];
    act(() => host.stream('app_watch').emit({ topic: 'inputs', serverId: null, revision: 2 }));
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Withdrawn. The call was cancelled.');
    expect(screen.queryByRole('button', { name: 'Send answer' })).toBeNull();
    // Nothing needs to be corrected any more.
    expect(document.querySelector('[data-invalid]')).toBeNull();
    expect(screen.queryByText('To correct:')).toBeNull();
  });

  it('takes Escape as cancel, and asks before it loses what was entered', async () => {
    const { model, sent } = await openInbox({ items: [ASKING], withdrawn: [] }, true);
    const later = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_000);
    act(() => model.inputs.keepDraft(ASKING.id, '{"action":"accept","content":{"name":"B"}}'));
    const escape = (): void =>
      void fireEvent.keyDown(screen.getByRole('dialog').querySelector('textarea')!, { key: 'Escape' });
    escape();
    expect(screen.getByRole('alertdialog', { name: 'Discard your answer?' })).toBeDefined();
    // A second one keeps what was entered.
    escape();
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(sent()).toEqual([]);
    escape();
    press('Discard and cancel');
    await waitFor(() =>
      expect(sent()).toEqual([{ inputId: '1', answer: { type: 'result', json: '{"action":"cancel"}' } }]),
    );
    later.mockRestore();
  });

  it('leaves a key alone that ends a composition', async () => {
    const { onClose, sent } = await openInbox({ items: [ASKING], withdrawn: [] }, true);
    laterBy(1000);
    const field = screen.getByRole('textbox', { name: 'name' });
    fireEvent.keyDown(field, { key: 'Escape', isComposing: true });
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect([sent(), onClose.mock.calls]).toEqual([[], []]);
    fireEvent.keyDown(field, { key: 'Escape' });
    await waitFor(() => expect(sent()).toHaveLength(1));
  });

  it('takes Escape right after it opened as later: it was meant for something else', async () => {
    const { onClose, sent } = await openInbox({ items: [ASKING], withdrawn: [] }, true);
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(onClose).toHaveBeenCalledOnce();
    expect(sent()).toEqual([]);
  });

  it('leaves keys alone while another dialog is about to open above it', async () => {
    const { model, onClose, sent } = await openInbox({ items: [ASKING], withdrawn: [] }, true);
    laterBy(1000);
    act(() => model.workspace.setState({ dialog: { type: 'simulator', serverId: ASKING.serverId } }));
    const field = screen.getByRole('textbox', { name: 'name' });
    fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
    fireEvent.keyDown(field, { key: 'Escape' });
    act(() => model.workspace.setState({ dialog: null }));
    expect([sent(), onClose.mock.calls]).toEqual([[], []]);
    fireEvent.keyDown(field, { key: 'Escape' });
    await waitFor(() => expect(sent()).toHaveLength(1));
  });

  it('leaves Escape in other panes alone', async () => {
    const { onClose, sent } = await openInbox({ items: [ASKING], withdrawn: [] }, true);
    const later = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_000);
    fireEvent.keyDown(screen.getByRole('region', { name: 'Inbox' }), { key: 'Escape' });
    expect(onClose).not.toHaveBeenCalled();
    expect(sent()).toEqual([]);
    later.mockRestore();
  });

  it('warns of fields that look like secrets, and offers earlier answers without them', async () => {
    const paramsJson = JSON.stringify({
      message: 'Who?',
      requestedSchema: {
        type: 'object',
        properties: { name: { type: 'string' }, access: { type: 'string', title: 'Пароль' } },
      },
    });
    const [asking, again] = [input('1', { paramsJson }), input('2', { paramsJson })];
    const { model, open, sent } = await openInbox({ items: [asking, again], withdrawn: [] }, true);
    expect(screen.getByText(/looks like a secret \(“Парол/)).toBeDefined();
    act(() =>
      model.inputs.keepDraft(asking.id, '{"action":"accept","content":{"name":"Ada","access":"s3"}}'),
    );
    press('Send answer');
    await waitFor(() => expect(sent()).toHaveLength(1));
    await waitFor(() =>
      expect(model.ui.getState().earlierAnswers['s']).toMatchObject([{ contentJson: '{"name":"Ada"}' }]),
    );
    open(again.id);
    act(() => model.inputs.keepDraft(again.id, '{"action":"accept","content":{}}'));
    press('Earlier answers');
    fireEvent.click(await screen.findByRole('menuitem', { name: /name: Ada/ }));
    expect(JSON.parse(model.inputs.getState().drafts[again.id]!)).toEqual({
      action: 'accept',
      content: { name: 'Ada' },
    });
  });

  it.each([
    ['in its message', { message: 'Enter your GitHub password' }, {}],
    ['in the title of its form', { message: 'Sign in' }, { title: 'API key' }],
    ['in the description of its form', { message: 'Sign in' }, { description: 'Your PIN, please' }],
  ])('keeps nothing of an answer to a request that names a secret %s', async (_, request, form) => {
    const properties = { value: { type: 'string' } };
    const requestedSchema = { type: 'object', properties, ...form };
    const paramsJson = JSON.stringify({ ...request, requestedSchema });
    const { model, onClose } = await openInbox({ items: [input('1', { paramsJson })], withdrawn: [] }, true);
    act(() => model.inputs.keepDraft('1' as InputId, '{"action":"accept","content":{"value":"hunter2"}}'));
    press('Send answer');
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(model.ui.getState().earlierAnswers).toEqual({});
  });

  it('shows the titles of a choice of every revision, and its defaults', async () => {
    const properties = {
      old: { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'], default: 'l' },
      titled: { type: 'string', oneOf: [{ const: 'r', title: 'Red' }], default: 'r' },
      several: { type: 'array', items: { anyOf: [{ const: 'a', title: 'Alpha' }] }, default: ['a'] },
      plain: { type: 'array', items: { type: 'string', enum: ['mo', 'tu'] } },
      yes: { type: 'boolean', default: true },
      n: { type: 'integer', default: 9 },
    };
    const asking = input('1', {
      paramsJson: JSON.stringify({ message: 'Which?', requestedSchema: { type: 'object', properties } }),
    });
    const { sent } = await openInbox({ items: [asking], withdrawn: [] }, true);
    const value = (name: string): string => screen.getByRole<HTMLInputElement>('combobox', { name }).value;
    expect(value('old')).toBe('Large');
    expect(value('titled')).toBe('Red');
    expect(screen.getAllByText('Alpha')).not.toEqual([]);
    press('Send answer');
    await waitFor(() => expect(sent()).toHaveLength(1));
    const [answer] = sent() as { answer: { json: string } }[];
    expect(JSON.parse(answer!.answer.json)).toEqual({
      action: 'accept',
      content: { old: 'l', titled: 'r', several: ['a'], yes: true, n: 9 },
    });
  });

  it('opens a page on click only, then takes “Done” as the answer', async () => {
    const paramsJson =
      '{"mode":"url","message":"Log in","url":"https://p\u0430ypal.example/x?y=1","elicitationId":"e1"}';
    const { host, sent } = await openInbox({ items: [input('1', { paramsJson })], withdrawn: [] }, true);
    expect(host.calls.some(({ name }) => name === 'link_open')).toBe(false);
    expect(screen.getByText(/= p\u0430ypal.example/)).toBeDefined();
    expect(screen.getByText(/\u0430 \(Cyrillic\)/)).toBeDefined();
    expect(button('Done').dataset['variant']).toBe('default');
    laterBy(1_000);
    fireEvent.keyDown(button('Open in browser'), { key: 'Enter', ctrlKey: true });
    press('Open in browser');
    await screen.findByText(/When you have finished there/);
    expect(sent()).toEqual([]);
    act(() => host.stream('traffic_tail').emit({ added: [row(20, { summary: 'e1' })] } as never));
    expect(await screen.findByText(/The server reports that this is complete/)).toBeDefined();
    expect(button('Done').dataset['variant']).toBe('filled');
    press('Done');
    await waitFor(() => expect(JSON.stringify(sent())).toContain('accept'));
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'https://bank.example@evil.example/',
    '7',
  ])('never opens %s', async (url) => {
    const paramsJson = JSON.stringify({ mode: 'url', message: '<script>alert(1)</script>', url });
    const { sent } = await openInbox({ items: [input('1', { paramsJson })], withdrawn: [] }, true);
    expect(screen.getByText(/This URL cannot be opened/)).toBeDefined();
    expect(screen.queryByRole('button', { name: /Open/ })).toBeNull();
    expect(document.querySelector('a[href], script')).toBeNull();
    // Agreeing to it is neither suggested nor a key away.
    expect(button('Decline').dataset['variant']).toBe('filled');
    expect(button('Accept').dataset['variant']).toBe('default');
    expect(button('Cancel').dataset['variant']).toBe('default');
    laterBy(1_000);
    fireEvent.keyDown(button('Decline'), { key: 'Enter', ctrlKey: true });
    expect(sent()).toEqual([]);
    press('Decline');
    await waitFor(() => expect(JSON.stringify(sent())).toContain('decline'));
  });

  it('draws some of many fields, and answers nested ones although they are not allowed', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => [
        `f${at}`,
        { type: 'string', title: '<img src=x onerror=alert(1)>' },
      ]),
    );
    const nested = { type: 'object', properties: { street: { type: 'string' } } };
    const paramsJson = JSON.stringify({
      message: '<img src=x onerror=alert(1)>',
      requestedSchema: { type: 'object', properties: { address: nested, ...properties } },
    });
    const { sent } = await openInbox({ items: [input('1', { paramsJson })], withdrawn: [] }, true);
    expect(screen.getByText(/Fields of other types: address/)).toBeDefined();
    expect(screen.getByText('Show more (501 fields in total)')).toBeDefined();
    expect(document.querySelector('img')).toBeNull();
    fireEvent.change(document.querySelector('[data-answer] textarea')!, { target: { value: 'Main' } });
    fireEvent.click(screen.getByText('Send answer'));
    await waitFor(() => expect(JSON.stringify(sent())).toContain('Main'));
  });

  it('shows the next request once this one is withdrawn, and gives back what was written', async () => {
    const queue: { items: InputItem[]; withdrawn: WithdrawnInput[] } = {
      items: [ASKING, input('2')],
      withdrawn: [],
    };
    const { host, model } = await openInbox(queue, true);
    act(() => model.inputs.keepDraft(ASKING.id, '{"action":"accept","content":{"name":"B"}}'));
    queue.items.shift();
    queue.withdrawn = [withdrawn('1', { reason: 'The connection ended.' })];
    act(() => host.stream('app_watch').emit({ topic: 'inputs', serverId: null, revision: 2 }));
    expect(await screen.findByRole('button', { name: 'Copy draft' })).toBeDefined();
    press('Show the next request');
    expect(model.workspace.getState().openInput).toBe('2');
  });

  it('sends folders for roots, with the URIs of the engine', async () => {
    const asking = input('1', { kind: 'roots', method: 'roots/list', paramsJson: '{}' });
    const { sent } = await openInbox({ items: [asking], withdrawn: [] }, true, {
      folder_check: ({ paths }) => ({
        folders: paths.map((path) => ({
          state: 'ready',
          uri: `file://${encodeURI(path)}`,
          repository: null,
          target: null,
        })),
      }),
    });
    expect(screen.getByText(/Deprecated in 2026-07-28/)).toBeDefined();
    fireEvent.change(screen.getByRole('textbox', { name: 'Folder 1' }), { target: { value: '/srv/a b' } });
    await screen.findByText('file:///srv/a%20b');
    fireEvent.change(screen.getByRole('textbox', { name: 'Name of folder 1' }), {
      target: { value: 'Data' },
    });
    press('Send answer');
    await waitFor(() => expect(sent()).toHaveLength(1));
    const [answer] = sent() as { answer: { json: string } }[];
    expect(JSON.parse(answer!.answer.json)).toEqual({ roots: [{ uri: 'file:///srv/a%20b', name: 'Data' }] });
  });

  it('stays open with the reason when the answer is not taken', async () => {
    const refusal = new CommandFailure({
      code: 'notFound',
      message: 'The server no longer waits for it.',
      detail: null,
    });
    const { onClose } = await openInbox({ items: [ASKING], withdrawn: [] }, true, {
      input_answer: () => refusal,
    });
    press('Send answer');
    expect((await screen.findByRole('alert')).textContent).toContain('no longer waits');
    expect(onClose).not.toHaveBeenCalled();
  });
});
