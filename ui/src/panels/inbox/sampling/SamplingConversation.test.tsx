import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { PARAMS, open, press } from './Sampling.test.fixture';

describe('a text that is being edited', () => {
  const textOf = (text: string) => ({ type: 'text', text });
  const user = (...texts: string[]) => ({ role: 'user', content: texts.map(textOf) });

  /** A request with these messages, and the texts that it has after edits. */
  async function openWith(messages: object[]) {
    const { model, item } = await open({ paramsJson: JSON.stringify({ messages, maxTokens: 9 }) });
    const texts = (): string[] => {
      const json = model.sampling.getState().requests[item.id] ?? item.paramsJson;
      const params = JSON.parse(json) as { messages: { content: { text: string }[] }[] };
      return params.messages.map(({ content }) => content.map(({ text }) => text).join('+'));
    };
    return { texts };
  }
  const pressOne = (name: string, at: number): void =>
    void fireEvent.click(screen.getAllByRole('button', { name }).at(at)!);
  const editing = (): HTMLTextAreaElement =>
    screen.getByRole('textbox', { name: /^Edit user text$|^Edit block$/ });
  const type = (value: string): void => void fireEvent.change(editing(), { target: { value } });

  it('stays with its message when an earlier one is removed', async () => {
    const { texts } = await openWith([user('same'), user('same'), user('last')]);
    pressOne('Edit user text', 1);
    type('mine');
    pressOne('Remove user message', 0);
    expect([texts(), editing().value]).toEqual([['same', 'last'], 'mine']);
    expect([screen.queryByText('same'), screen.queryByText('last')]).toEqual([null, expect.anything()]);
  });

  it('stays with its message when the removal of an earlier one is undone', async () => {
    const { texts } = await openWith([user('a'), user('b'), user('c')]);
    pressOne('Remove user message', 0);
    pressOne('Edit user text', 0);
    type('mine');
    press('Undo edits');
    expect([texts(), editing().value]).toEqual([['a', 'b', 'c'], 'mine']);
    press('Apply');
    expect(texts()).toEqual(['a', 'mine', 'c']);
  });

  it('is applied to its message after an earlier one was removed', async () => {
    const { texts } = await openWith([user('a'), user('b'), user('c')]);
    pressOne('Edit user text', 2);
    type('mine');
    pressOne('Remove user message', 0);
    press('Apply');
    expect(texts()).toEqual(['b', 'mine']);
  });

  it('is asked about before the request is sent without it', async () => {
    const { host, model } = await open();
    await screen.findByText('It matches the hint “talk”.');
    press('Edit user text');
    type('mine');
    press('Send to model');
    expect(host.streams('sampling_generate')).toHaveLength(0);
    press('Keep editing');
    press('Apply');
    press('Send to model');
    expect(host.stream('sampling_generate').params.paramsJson).toContain('mine');
    expect(model.inputs.getState().items).toHaveLength(1);
  });

  it('is asked about only while it is edited, and if it is of the request that is sent', async () => {
    const { host, model, item } = await open();
    await screen.findByText('It matches the hint “talk”.');
    press('Edit user text');
    type('mine');
    press('Send to model');
    expect(screen.getByRole('button', { name: 'Send without it' })).toBeDefined();
    fireEvent.keyDown(editing(), { key: 'Escape' });
    expect(screen.queryByRole('button', { name: 'Send without it' })).toBeNull();
    press('Edit user text');
    type('mine');
    // The request is edited as JSON: its messages are others.
    act(() => model.sampling.edit(item.id, PARAMS.replace('onerror', 'onload')));
    await screen.findByText(/onload/);
    press('Send to model');
    expect(host.stream('sampling_generate').params.paramsJson).toContain('onload');
  });

  it('is left by Escape for its button, and not by one that ends a composition', async () => {
    await open();
    press('Edit user text');
    type('mine');
    editing().focus();
    fireEvent.keyDown(editing(), { key: 'Escape', isComposing: true });
    expect(editing().value).toBe('mine');
    fireEvent.keyDown(editing(), { key: 'Escape' });
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit user text' }));
  });

  it('is ended by Escape, which leaves the request', async () => {
    const { sent } = await open();
    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_000);
    press('Edit user text');
    type('mine');
    fireEvent.keyDown(editing(), { key: 'Escape' });
    now.mockRestore();
    expect(screen.queryByRole('textbox', { name: 'Edit user text' })).toBeNull();
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(sent('input_answer')).toEqual([]);
  });

  it('is still there when the dialog was closed and opened again', async () => {
    const { model, item, reopen } = await open();
    press('Edit user text');
    type('mine');
    reopen();
    expect(editing().value).toBe('mine');
    expect(model.sampling.draftsOf(item.id).size).toBe(1);
  });

  it('goes with its message, and not to the one that takes its place', async () => {
    const { texts } = await openWith([user('a', 'block'), user('b', 'other'), user('c')]);
    pressOne('Edit block', 0);
    type('mine');
    pressOne('Remove user message', 0);
    expect(texts()).toEqual(['b+other', 'c']);
    expect(screen.queryByRole('textbox', { name: 'Edit block' })).toBeNull();
    press('Undo edits');
    expect(screen.queryByRole('textbox', { name: 'Edit block' })).toBeNull();
  });

  it('is still there when its message has been out of view', async () => {
    const { texts } = await openWith(Array.from({ length: 9 }, (_, at) => user(`m${at}`)));
    pressOne('Remove user message', -1);
    pressOne('Edit user text', 0);
    type('mine');
    press('Undo edits');
    expect(screen.queryByDisplayValue('mine')).toBeNull();
    press('Show 1 earlier message');
    expect(editing().value).toBe('mine');
    press('Apply');
    expect(texts().slice(0, 2)).toEqual(['mine', 'm1']);
  });

  it('stays with its message in a request that is read in the background', async () => {
    const { texts } = await openWith([user('a'), user('b'), user('c'), user('x'.repeat(250_000))]);
    await screen.findAllByRole('button', { name: 'Remove user message' });
    pressOne('Edit user text', 1);
    type('mine');
    pressOne('Remove user message', 0);
    await waitFor(() => expect(texts()).toHaveLength(3));
    const apply = await screen.findByRole('button', { name: 'Apply' });
    expect(editing().value).toBe('mine');
    fireEvent.click(apply);
    await waitFor(() => expect(texts().slice(0, 2)).toEqual(['mine', 'c']));
  });
});

it('has the whole description of a tool that the model may call', async () => {
  const described = (name: string, description: string) => ({ name, description, inputSchema: {} });
  const tools = [described('short', `${'a'.repeat(700)} end`), described('long', `${'b'.repeat(5_000)} end`)];
  await open({ paramsJson: JSON.stringify({ messages: [], maxTokens: 9, tools }) });
  fireEvent.click(screen.getByText('2 tools the model may call'));
  expect(screen.getByText(/^a+ end$/)).toBeDefined();
  expect(screen.getByText(/^b+…$/)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Show all 5.0 kB' })).toBeDefined();
});

it('sends no long request to the model while it is being edited', async () => {
  const text = 'long '.repeat(50_000);
  const { model } = await open({
    paramsJson: JSON.stringify({
      messages: ['a', text].map((part) => ({ role: 'user', content: { type: 'text', text: part } })),
      maxTokens: 1,
    }),
  });
  let apply: (edited: string) => void = () => {};
  vi.spyOn(model.requestReader, 'edit').mockReturnValue(new Promise((resolve) => (apply = resolve)));
  const send = await screen.findByRole<HTMLButtonElement>('button', { name: 'Send to model' });
  await waitFor(() => expect(send.disabled).toBe(false));
  fireEvent.click((await screen.findAllByRole('button', { name: 'Remove user message' }))[1]!);
  expect(send.disabled).toBe(true);
  act(() => apply('{"messages":[],"maxTokens":1}'));
  await waitFor(() => expect(send.disabled).toBe(false));
});
