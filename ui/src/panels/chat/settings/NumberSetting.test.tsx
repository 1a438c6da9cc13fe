import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ChatEvent, ChatId, ChatSettings } from '../../../contract/generated';
import { CommandFailure } from '../../../host/host';
import { ScriptedHost } from '../../../host/scripted';
import { FRESH_SETTINGS } from '../../../model/chat/chats';
import { openConversation } from '../../../model/chat/conversation';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { ChatSettingsPane } from './ChatSettingsPane';

/** The settings of a conversation with this temperature. */
function open(temperature: number | null, refusal?: CommandFailure) {
  const host = new ScriptedHost({
    chat_settings_set: () => refusal ?? {},
    chat_rules_get: () => ({ rules: [] }),
    chat_tools: () => ({ tools: [], search: null, bytes: 0, notes: [] }) as never,
  });
  const conversation = openConversation(host, 'c' as ChatId);
  const settings: ChatSettings = { ...FRESH_SETTINGS, temperature };
  const { unmount } = render(
    <MantineProvider env="test">
      <ModelProvider model={createModel(host)}>
        <ChatSettingsPane conversation={conversation} />
      </ModelProvider>
    </MantineProvider>,
  );
  const state = { type: 'state', settings, attached: [], total: 0, versions: [], seen: [] };
  act(() => host.stream('chat_open').emit(state as unknown as ChatEvent));
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Temperature' });
  return {
    host,
    unmount,
    field,
    /** Another window saves other settings. */
    change: (part: Partial<ChatSettings>): void => {
      const changed = { ...state, settings: { ...settings, ...part } };
      act(() => host.stream('chat_open').emit(changed as unknown as ChatEvent));
    },
    /** Types a text in place of what is there, one character after the other. */
    type: (text: string): void => {
      if (text === '') fireEvent.change(field, { target: { value: '' } });
      for (let end = 1; end <= text.length; end += 1) {
        fireEvent.change(field, { target: { value: text.slice(0, end) } });
        expect(field.value).toBe(text.slice(0, end));
      }
    },
    /** The temperatures that the engine was given. */
    stored: (): (number | null)[] =>
      host.calls.flatMap(({ name, params }) =>
        name === 'chat_settings_set' ? [(params as { settings: ChatSettings }).settings.temperature] : [],
      ),
  };
}

it('takes a decimal that is typed, and saves it when the field is left', async () => {
  const { field, type, stored } = open(null);
  type('0.7');
  expect(stored()).toEqual([]);
  fireEvent.blur(field);
  await waitFor(() => expect(stored()).toEqual([0.7]));
  expect(field.value).toBe('0.7');
});

it('saves by Enter, once', async () => {
  const { field, type, stored } = open(1);
  type('0.05');
  fireEvent.keyDown(field, { key: 'Enter' });
  fireEvent.blur(field);
  await waitFor(() => expect(stored()).toEqual([0.05]));
  expect(field.value).toBe('0.05');
});

it('changes what is typed by the arrow keys', async () => {
  const { field, type, stored } = open(1);
  type('0.7');
  fireEvent.keyDown(field, { key: 'ArrowUp' });
  expect(field.value).toBe('0.8');
  fireEvent.blur(field);
  await waitFor(() => expect(stored()).toEqual([0.8]));
});

it.each([
  ['3', 2, '2'],
  ['0.', 0, '0'],
  ['.5', 0.5, '0.5'],
  ['', null, ''],
])('saves %j as %j', async (text, temperature, shown) => {
  const { field, type, stored } = open(1);
  type(text);
  fireEvent.blur(field);
  await waitFor(() => expect(stored()).toEqual([temperature]));
  expect(field.value).toBe(shown);
});

it.each([['1'], ['1.0'], ['-']])('saves nothing when %j changes nothing', async (text) => {
  const { field, type, stored } = open(1);
  type(text);
  fireEvent.blur(field);
  await act(async () => {});
  expect(field.value).toBe('1');
  expect(stored()).toEqual([]);
});

it('saves a whole number that was changed by a key, and none that is missing', async () => {
  const { host } = open(1);
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Max tokens per answer' });
  const before = field.value;
  fireEvent.keyDown(field, { key: 'ArrowUp' });
  expect(field.value).toBe(String(Number(before) + 1));
  fireEvent.blur(field);
  const saved = (): unknown[] =>
    host.calls.flatMap(({ name, params }) =>
      name === 'chat_settings_set' ? [(params as { settings: ChatSettings }).settings.maxTokens] : [],
    );
  await waitFor(() => expect(saved()).toEqual([Number(before) + 1]));
  fireEvent.change(field, { target: { value: '' } });
  fireEvent.blur(field);
  await act(async () => {});
  expect(saved()).toHaveLength(1);
  expect(field.value).toBe(String(Number(before) + 1));
});

it.each(['System prompt', 'Temperature'])('keeps what was typed for a refused %s', async (name) => {
  const { host } = open(1);
  host.answers.chat_settings_set = () =>
    new CommandFailure({ code: 'internal', message: 'no', detail: null });
  const field = screen.getByRole<HTMLInputElement>('textbox', { name });
  fireEvent.change(field, { target: { value: '1.5' } });
  fireEvent.blur(field);
  await act(async () => {});
  expect(field.value).toBe('1.5');
  host.answers.chat_settings_set = () => ({});
  fireEvent.blur(field);
  await act(async () => {});
  expect(host.calls.filter((call) => call.name === 'chat_settings_set')).toHaveLength(2);
  expect(field.value).toBe('1.5');
});

it('shows and keeps a system prompt that another window saved', async () => {
  const { host, change } = open(1);
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'System prompt' });
  change({ systemPrompt: 'Be brief.' });
  expect(field.value).toBe('Be brief.');
  fireEvent.focus(field);
  fireEvent.blur(field);
  await act(async () => {});
  const saved = () => host.calls.filter(({ name }) => name === 'chat_settings_set');
  expect(saved()).toEqual([]);
  fireEvent.change(field, { target: { value: 'Be briefer.' } });
  fireEvent.blur(field);
  await waitFor(() => expect(saved()).toHaveLength(1));
  expect(JSON.stringify(saved())).toContain('Be briefer.');
});

it('keeps a system prompt that is refused', async () => {
  const { host } = open(
    1,
    new CommandFailure({ code: 'invalidParams', message: 'It is long.', detail: null }),
  );
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'System prompt' });
  fireEvent.change(field, { target: { value: 'Much.' } });
  fireEvent.blur(field);
  await waitFor(() => expect(host.calls.some(({ name }) => name === 'chat_settings_set')).toBe(true));
  await act(async () => {});
  expect(field.value).toBe('Much.');
});

it('saves a system prompt that is typed when something else is shown', async () => {
  const { host, unmount } = open(1);
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'System prompt' });
  fireEvent.change(field, { target: { value: 'Be brief.' } });
  unmount();
  const saved = () => host.calls.filter(({ name }) => name === 'chat_settings_set');
  await waitFor(() => expect(saved()).toHaveLength(1));
  expect(JSON.stringify(saved())).toContain('Be brief.');
});
