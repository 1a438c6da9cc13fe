import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { RULES, open, press } from './Sampling.test.fixture';

describe('the dialog of a sampling request', () => {
  it('sends the request to the chosen model, and the edited answer to the server', async () => {
    const { host, sent } = await open();
    expect(await screen.findByText('It matches the hint “talk”.')).toBeDefined();
    press('Send to model');
    const stream = host.stream('sampling_generate');
    expect(stream.params).toMatchObject({ inputId: '1', providerId: 'p', model: 'talk' });
    expect(stream.params.paramsJson).toContain('9007199254740993');
    act(() =>
      stream.emit({
        type: 'finished',
        resultJson:
          '{"role":"assistant","content":{"type":"text","text":"Hi"},"model":"talk-1","stopReason":"endTurn"}',
        inputTokens: 1,
        outputTokens: 2,
        tookMs: 3,
      }),
    );
    const text = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Text' });
    expect(text.value).toBe('Hi');
    fireEvent.change(text, { target: { value: 'Hi there' } });
    press('Send answer');
    await waitFor(() => expect(sent('input_answer').length).toBe(1));
    expect(JSON.stringify(sent('input_answer'))).toContain('Hi there');
    expect(document.querySelector('img')).toBeNull();
  });

  it('shows the text of a model that was stopped once, as the answer', async () => {
    const { host } = await open();
    await screen.findByText('It matches the hint “talk”.');
    press('Send to model');
    const stream = host.stream('sampling_generate');
    act(() => stream.emit({ type: 'text', text: 'Half of it' }));
    await screen.findByText('Half of it');
    press('Stop');
    const text = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Text' });
    expect(text.value).toBe('Half of it');
    const progress = screen.getByRole('region', { name: 'Model answer' }).textContent;
    expect(progress).toBe('talk was stopped. What it wrote is below.');
  });

  it('keeps an answer that the user wrote, and offers that of the model', async () => {
    const { host } = await open();
    await screen.findByText('It matches the hint “talk”.');
    const answer = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Text' });
    fireEvent.change(answer(), { target: { value: 'By hand' } });
    const run = (text: string): void => {
      const resultJson = JSON.stringify({ role: 'assistant', content: { type: 'text', text }, model: 'm' });
      const usage = { inputTokens: 1, outputTokens: 2, tookMs: 3 };
      act(() => host.stream('sampling_generate').emit({ type: 'finished', resultJson, ...usage }));
    };
    press('Send to model');
    run('Generated');
    expect(answer().value).toBe('By hand');
    press('Use the model’s answer');
    expect(answer().value).toBe('Generated');
    expect(screen.queryByText('The answer that you wrote is kept.')).toBeNull();
    // That of a model is replaced by the next one.
    press('Regenerate');
    run('Generated again');
    expect(answer().value).toBe('Generated again');
  });

  it('does not offer an answer of an earlier run for one that failed', async () => {
    const { host } = await open();
    await screen.findByText('It matches the hint “talk”.');
    const answer = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Text' });
    fireEvent.change(answer(), { target: { value: 'By hand' } });
    press('Send to model');
    const resultJson = '{"role":"assistant","content":{"type":"text","text":"first"},"model":"m"}';
    act(() =>
      host
        .stream('sampling_generate')
        .emit({ type: 'finished', resultJson, inputTokens: 1, outputTokens: 2, tookMs: 3 }),
    );
    expect(screen.getByRole('button', { name: 'Use the model’s answer' })).toBeDefined();
    press('Regenerate');
    const failure = { cause: 'No model.', next: '', retryAfterMs: null };
    act(() => host.stream('sampling_generate').emit({ type: 'failed', failure }));
    expect(screen.getByText('talk did not answer.')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Use the model’s answer' })).toBeNull();
    expect(answer().value).toBe('By hand');
  });

  it('says nothing of a text when a model is stopped before it wrote one', async () => {
    const { host } = await open();
    await screen.findByText('It matches the hint “talk”.');
    press('Send to model');
    act(() => host.stream('sampling_generate').emit({ type: 'toolUse', name: 'look' }));
    await screen.findByText('look()');
    press('Stop');
    const progress = screen.getByRole('region', { name: 'Model answer' }).textContent;
    expect(progress).toBe('talk was stopped.look()');
  });

  it('sends what the user made of the request', async () => {
    const { host, model, item } = await open();
    await screen.findByText('It matches the hint “talk”.');
    act(() => model.sampling.edit(item.id, '{"messages":'));
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send to model' }).disabled).toBe(true);
    act(() => model.sampling.edit(item.id, '{"messages":[]}'));
    press('Send to model');
    expect(host.stream('sampling_generate').params.paramsJson).toBe('{"messages":[]}');
  });

  it('needs no provider: the answer is written by hand', async () => {
    const { model, sent } = await open({}, []);
    fireEvent.change(await screen.findByRole('textbox', { name: 'Text' }), { target: { value: 'By hand' } });
    expect(await screen.findByRole('button', { name: 'Add a provider…' })).toBeDefined();
    press('Add a provider…');
    expect(model.workspace.getState().providersOpen).toBe(true);
    press('Send answer');
    await waitFor(() => expect(JSON.stringify(sent('input_answer'))).toContain('By hand'));
  });

  it('starts from what a rule proposes, with the reason', async () => {
    await open({
      proposal: {
        resultJson: '{"role":"assistant","content":{"type":"text","text":"Proposed"},"model":"m"}',
        reason: 'm answered. The rule leaves the answer to you.',
      },
    });
    expect(screen.getByText('m answered. The rule leaves the answer to you.')).toBeDefined();
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Text' }).value).toBe('Proposed');
  });

  it('sets the rules of the server', async () => {
    const { sent } = await open();
    const requests = await screen.findByRole('combobox', { name: 'Requests', hidden: true });
    fireEvent.change(requests, { target: { value: 'always' } });
    fireEvent.change(screen.getByRole('combobox', { name: 'Model answers', hidden: true }), {
      target: { value: 'always' },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Save rules', hidden: true }));
    await waitFor(() => expect(sent('sampling_rules_set').length).toBe(1));
    expect(sent('sampling_rules_set')).toEqual([
      { serverId: 's', rules: { ...RULES, request: 'always', answer: 'always' } },
    ]);
  });
});

it('edits the conversation in place: texts, the system prompt, limits, messages', async () => {
  const { model, item } = await open({
    paramsJson: JSON.stringify({
      systemPrompt: 'Be brief.',
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'First' }] },
        { role: 'assistant', content: { type: 'tool_use', id: 'c1', name: 'add', input: { a: 1 } } },
        {
          role: 'user',
          content: { type: 'tool_result', toolUseId: 'c1', content: [{ type: 'text', text: 'Two' }] },
        },
        { role: 'user', content: { type: 'image', mimeType: 'image/png', data: 'no base64!' } },
      ],
      maxTokens: 100,
      includeContext: 'thisServer',
      tools: [{ name: 'add', description: 'Adds.', inputSchema: { type: 'object' } }],
    }),
  });
  expect(screen.getByText(/step 2: the server called the tools/)).toBeDefined();
  expect(screen.getByText(/is not valid base64/)).toBeDefined();
  expect(screen.getByText(/adds no server context/)).toBeDefined();
  expect(screen.getByText(/Servers should integrate directly with the APIs/)).toBeDefined();
  const edited = (): unknown => JSON.parse(model.sampling.getState().requests[item.id]!);
  const edit = (name: string, value: string): void => {
    fireEvent.click(screen.getAllByRole('button', { name })[0]!);
    fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } });
    press('Apply');
  };
  edit('Edit user text', 'Changed');
  edit('Edit system text', '');
  const limit = screen.getByRole('textbox', { name: 'Max tokens' });
  fireEvent.change(limit, { target: { value: '7' } });
  fireEvent.blur(limit);
  fireEvent.click(screen.getAllByRole('button', { name: 'Remove user message' }).at(-1)!);
  expect(edited()).toMatchObject({
    messages: [{ content: [{ type: 'text', text: 'Changed' }] }, {}, {}],
    maxTokens: 7,
  });
  expect(edited()).not.toHaveProperty('systemPrompt');
  expect((edited() as { messages: unknown[] }).messages).toHaveLength(3);
  press('Undo edits');
  expect(model.sampling.getState().requests[item.id]).toBeUndefined();
});

it('shows the request as edited, also after it was answered elsewhere', async () => {
  const { model, item, end } = await open();
  act(() =>
    model.sampling.edit(item.id, '{"messages":[{"role":"user","content":{"type":"text","text":"Mine"}}]}'),
  );
  expect(screen.getByText('Mine')).toBeDefined();
  await end();
  expect(screen.getByRole('alert').textContent).toContain('It can no longer be answered.');
  expect(screen.getByText('Mine')).toBeDefined();
  expect(screen.getByText('edited, for the model only')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Undo edits' })).toBeNull();
});

it('leaves a text that is being edited where it is when the request is answered elsewhere', async () => {
  const { end } = await open({
    paramsJson: JSON.stringify({
      messages: ['a', 'b'].map((text) => ({ role: 'user', content: { type: 'text', text } })),
    }),
  });
  fireEvent.click(screen.getAllByRole('button', { name: 'Edit user text' })[1]!);
  const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Edit user text' });
  fireEvent.change(field(), { target: { value: 'mine' } });
  fireEvent.click(screen.getAllByRole('button', { name: 'Remove user message' })[0]!);
  await end();
  expect(field().value).toBe('mine');
  expect([screen.queryByText('a'), screen.queryByText('b')]).toEqual([null, null]);
});

it('answers by hand with a call of a tool, and says what is wrong with it', async () => {
  const { model, item, sent } = await open(
    {
      paramsJson: JSON.stringify({
        messages: [{ role: 'user', content: { type: 'text', text: 'Add' } }],
        maxTokens: 9,
        tools: [{ name: 'add', inputSchema: { type: 'object', properties: { a: { type: 'integer' } } } }],
      }),
    },
    [],
  );
  press('Add block');
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Call add' }));
  const call = screen.getByRole('group', { name: 'Call to add' });
  fireEvent.change(within(call).getByRole('textbox', { name: 'a' }), {
    target: { value: '9007199254740993' },
  });
  fireEvent.change(within(call).getByRole('textbox', { name: 'Call ID' }), { target: { value: '' } });
  expect(await screen.findByText('content.id')).toBeDefined();
  fireEvent.change(within(call).getByRole('textbox', { name: 'Call ID' }), { target: { value: 'c1' } });
  const draft = model.inputs.getState().drafts[item.id]!;
  expect(draft).toContain('9007199254740993');
  press('Send answer');
  await waitFor(() => expect(sent('input_answer')).toHaveLength(1));
  expect(JSON.parse(draft)).toMatchObject({
    content: { type: 'tool_use', id: 'c1', name: 'add' },
    stopReason: 'toolUse',
  });
});

it('offers a tool once that the server lists twice', async () => {
  const tool = { name: 'add', description: 'Adds.', inputSchema: { type: 'object' } };
  await open(
    {
      paramsJson: JSON.stringify({
        messages: [{ role: 'user', content: { type: 'text', text: 'Add' } }],
        maxTokens: 9,
        tools: [tool, tool],
      }),
    },
    [],
  );
  press('Add block');
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Call add' }));
  expect(screen.getByRole('group', { name: 'Call to add' })).toBeDefined();
});

it('fills in canned answers, and keeps those the user saves', async () => {
  const { model, sent } = await open({}, []);
  press('Canned answers');
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Refusal' }));
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Text' }).value).toBe(
    'I cannot help with that.',
  );
  fireEvent.change(screen.getByRole('textbox', { name: 'Text' }), { target: { value: 'My own' } });
  press('Canned answers');
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Save this answer' }));
  expect(model.ui.getState().cannedAnswers).toEqual({ 'My own': 'My own' });
  press('Canned answers');
  act(() =>
    model.ui.setState({
      cannedAnswers: Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${at}`, 'text'])),
    }),
  );
  const full = await screen.findByRole('menuitem', { name: /50 answers are saved. Delete one/ });
  expect(full).toHaveProperty('disabled', true);
  press('Reject');
  fireEvent.click(await screen.findByRole('button', { name: 'Discard and reject' }));
  await waitFor(() =>
    expect(JSON.stringify(sent('input_answer'))).toContain('User rejected sampling request'),
  );
});

it('shows an answer of a megabyte without a text field', async () => {
  const text = 'x'.repeat(1_000_000);
  await open({
    proposal: {
      resultJson: JSON.stringify({ role: 'assistant', content: { type: 'text', text }, model: 'm' }),
      reason: 'm answered.',
    },
  });
  expect(screen.getByText(/Text of 1.0+ MB: edit it as JSON/)).toBeDefined();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send answer' }).disabled).toBe(false);
});

it('Ctrl-Enter in the request for the model does not send the answer', async () => {
  const { model, item, sent } = await open();
  act(() =>
    model.inputs.keepDraft(
      item.id,
      '{"role":"assistant","content":{"type":"text","text":"Hi"},"model":"m","stopReason":"endTurn"}',
    ),
  );
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_000);
  const keys = { key: 'Enter', ctrlKey: true };
  fireEvent.click(screen.getByRole('button', { name: 'Edit user text' }));
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'Edit user text' }), keys);
  expect(sent('input_answer')).toEqual([]);
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'Text' }), keys);
  await waitFor(() => expect(sent('input_answer').length).toBe(1));
  now.mockRestore();
});
