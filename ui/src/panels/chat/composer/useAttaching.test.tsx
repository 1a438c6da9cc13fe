import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ChatEvent, ChatId, ServerId } from '../../../contract/generated';
import { type Answers, ScriptedHost } from '../../../host/scripted';
import { FRESH_SETTINGS } from '../../../model/chat/chats';
import { openConversation } from '../../../model/chat/conversation';
import { connection, server } from '../../../model/servers/servers.fixture';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { Composer } from './Composer';

const prompt = (name: string, index: number, names: string[]) => ({
  name,
  index,
  description: null,
  arguments: names.map((each) => ({ name: each, title: null, description: null, required: false })),
});

/** A conversation with a server that reads what is chosen when told to. */
async function open(answers: Answers = {}) {
  const taken: (() => void)[] = [];
  const host = new ScriptedHost({
    server_list: () => ({ items: [server('a', connection({ state: 'ready' }))] }),
    resource_list: () =>
      ({ items: [{ name: 'plan', uri: 'a:plan', size: null }], nextCursor: null }) as never,
    resource_template_list: () =>
      ({
        items: [{ index: 0, name: 'note', title: null, uriTemplate: 'a:{name}' }],
        nextCursor: null,
      }) as never,
    prompt_list: () =>
      ({ items: [prompt('greet', 0, []), prompt('ask', 1, ['who'])], nextCursor: null }) as never,
    chat_send: () => ({}),
    chat_attach: () => new Promise((resolve) => void taken.push(() => resolve({} as never))),
    ...answers,
  });
  const model = createModel(host);
  await model.servers.refresh();
  const conversation = openConversation(host, 'c' as ChatId);
  const settings = { ...FRESH_SETTINGS, servers: ['a'] as ServerId[] };
  const state = { type: 'state', settings, attached: [], total: 0, versions: [], seen: [] };
  host.stream('chat_open').emit(state as unknown as ChatEvent);
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <Composer conversation={conversation} phase="idle" />
      </ModelProvider>
    </MantineProvider>,
  );
  const message = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
  const attached = () =>
    host.calls.flatMap(({ name, params }) =>
      name === 'chat_attach' ? [(params as { source: object }).source] : [],
    );
  const sent = () =>
    host.calls.flatMap(({ name, params }) =>
      name === 'chat_send' ? [(params as { text: string }).text] : [],
    );
  return {
    message,
    attached,
    sent,
    write: (value: string) => fireEvent.change(message, { target: { value } }),
    take: () => act(async () => taken.forEach((each) => each())),
  };
}

const click = async (name: RegExp | string) => fireEvent.click(await screen.findByRole('button', { name }));
/** Chooses a prompt after the slash. */
const choose = async (name: RegExp) => {
  const option = await screen.findByRole('option', { name });
  fireEvent.mouseDown(option);
  fireEvent.mouseUp(option);
  fireEvent.click(option);
};

it('attaches a prompt once, however often it is chosen while it is read', async () => {
  const { message, attached, write, take } = await open();
  write('/greet');
  await choose(/greet/);
  await choose(/greet/);
  await waitFor(() => expect(screen.getByText('Reading /greet…')).toBeDefined());
  await take();
  expect(attached()).toEqual([{ type: 'prompt', name: 'greet', argumentsJson: null }]);
  expect(message.value).toBe('');
});

it('attaches a prompt with arguments once', async () => {
  const { attached, write, take } = await open();
  write('/ask');
  await choose(/ask/);
  const form = screen.getByRole('form', { name: 'Arguments for ask' });
  fireEvent.submit(form);
  fireEvent.submit(form);
  await take();
  expect(attached()).toEqual([{ type: 'prompt', name: 'ask', argumentsJson: null }]);
});

it('attaches a resource once', async () => {
  const { attached, take } = await open();
  await click('Attach a resource');
  await click(/plan/);
  await click(/plan/);
  await waitFor(() => expect(screen.getByText('Reading plan…')).toBeDefined());
  await take();
  expect(attached()).toEqual([{ type: 'resource', uri: 'a:plan' }]);
  expect(screen.queryByRole('group', { name: 'Attach a resource' })).toBeNull();
});

it('keeps what is written while a prompt is read', async () => {
  const { message, attached, write, take } = await open();
  write('/greet');
  await choose(/greet/);
  write('something else');
  await take();
  expect(attached()).toHaveLength(1);
  expect(message.value).toBe('something else');
});

it('reads a resource of a template with the values that are typed, although their URI is not known yet', async () => {
  const expanded: (() => void)[] = [];
  const { attached } = await open({
    resource_template_expand: ({ values }) => {
      const name = values.map(({ value }) => (value.type === 'text' ? value.text : '')).join('');
      const answer = { variables: ['name'], uri: `a:${name}` };
      return name === 'new'
        ? new Promise((resolve) => void expanded.push(() => resolve(answer)))
        : Promise.resolve(answer);
    },
  });
  await click('Attach a resource');
  await click(/note/);
  const field = await screen.findByRole('textbox', { name: 'name' });
  fireEvent.change(field, { target: { value: 'old' } });
  await screen.findByText('a:old');
  fireEvent.change(field, { target: { value: 'new' } });
  fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
  await act(async () => {});
  expect(attached()).toEqual([]);
  await act(async () => expanded.forEach((each) => each()));
  await waitFor(() => expect(attached()).toEqual([{ type: 'resource', uri: 'a:new' }]));
});

it('leaves the focus in the field when a prompt is not attached after all', async () => {
  const { message, write } = await open();
  write('/ask');
  await choose(/ask/);
  await click('Cancel');
  expect(document.activeElement).toBe(message);
  expect(await screen.findByRole('listbox', { name: 'Prompts' })).toBeDefined();
});

describe('the keys of the message, while prompts are offered', () => {
  const press = (field: HTMLElement, key: string, more: object = {}) =>
    fireEvent.keyDown(field, { key, code: key, ...more });
  const active = (field: HTMLElement) =>
    document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent;

  it('choose one of them', async () => {
    const { message, attached, write, take } = await open();
    write('/');
    await screen.findByRole('option', { name: /greet/ });
    press(message, 'ArrowDown');
    expect(active(message)).toContain('/greet');
    press(message, 'ArrowDown');
    expect(active(message)).toContain('/ask');
    press(message, 'ArrowUp');
    press(message, 'Enter');
    await take();
    expect(attached()).toEqual([{ type: 'prompt', name: 'greet', argumentsJson: null }]);
    expect(message.value).toBe('');
  });

  it('choose none before one is active, nor when the message is sent', async () => {
    const { message, attached, write, sent } = await open();
    write('/g');
    await screen.findByRole('option', { name: /greet/ });
    expect(press(message, 'Enter')).toBe(true);
    press(message, 'ArrowDown');
    press(message, 'Enter', { ctrlKey: true });
    await waitFor(() => expect(sent()).toEqual(['/g']));
    expect(attached()).toEqual([]);
  });

  it('close them until something else is written, and leave the message', async () => {
    const { message, write } = await open();
    write('/g');
    await screen.findByRole('option', { name: /greet/ });
    press(message, 'Escape');
    expect([screen.queryByRole('listbox'), message.value]).toEqual([null, '/g']);
    expect(press(message, 'ArrowDown')).toBe(true);
    write('/');
    write('/g');
    expect(await screen.findByRole('option', { name: /greet/ })).toBeDefined();
  });

  it('point to no list when none is shown', async () => {
    const { message, write } = await open();
    const list = () => message.getAttribute('aria-controls');
    write('/g');
    await screen.findByRole('option', { name: /greet/ });
    press(message, 'ArrowDown');
    expect(list()).toBe(screen.getByRole('listbox', { name: 'Prompts' }).id);
    write('/none');
    await waitFor(() => expect(list()).toBeNull());
    expect(message.getAttribute('aria-activedescendant')).toBeNull();
  });
});
