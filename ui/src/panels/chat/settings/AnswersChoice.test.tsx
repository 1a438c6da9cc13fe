import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ChatEvent, ChatId, ModelItem, ProviderId, ProviderItem } from '../../../contract/generated';
import { CommandFailure } from '../../../host/host';
import { ScriptedHost } from '../../../host/scripted';
import { FRESH_SETTINGS } from '../../../model/chat/chats';
import { openConversation } from '../../../model/chat/conversation';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { AnswersChoice } from './AnswersChoice';

const known = (id: string): ModelItem => ({ id, context: null, price: null }) as ModelItem;
const PROVIDER: ProviderItem = {
  id: 'p' as ProviderId,
  name: 'Local',
  api: 'chatCompletions',
  baseUrl: 'http://127.0.0.1:1/v1',
  hasKey: false,
  defaultModel: 'talk',
  models: [known('talk'), known('think'), known('talk')],
};

/** A conversation that the provider `p` answers. */
function open(items: Promise<ProviderItem[]> | ProviderItem[]) {
  const host = new ScriptedHost({
    provider_list: async () => ({ items: await items }),
    chat_settings_set: () => ({}),
  });
  const conversation = openConversation(host, 'c' as ChatId);
  render(
    <MantineProvider env="test">
      <ModelProvider model={createModel(host)}>
        <AnswersChoice conversation={conversation} />
      </ModelProvider>
    </MantineProvider>,
  );
  const settings = { ...FRESH_SETTINGS, answers: { type: 'model', providerId: PROVIDER.id, model: 'talk' } };
  const state = { type: 'state', settings, attached: [], total: 0, versions: [], seen: [] };
  act(() => host.stream('chat_open').emit(state as unknown as ChatEvent));
  return { conversation };
}

const who = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Who answers' });

it('offers a model once that the provider lists twice', async () => {
  open([PROVIDER]);
  const model = await screen.findByRole('combobox', { name: 'Model' });
  fireEvent.change(model, { target: { value: 't' } });
  const options = await screen.findAllByRole('option', { name: /^t/, hidden: true });
  expect(options.map(({ textContent }) => textContent)).toEqual(['talk', 'think']);
});

it('leads from a provider that was removed to answers by hand', async () => {
  const { conversation } = open([]);
  expect(await screen.findByText('Its provider was removed.')).toBeDefined();
  expect(who().selectedOptions[0]?.textContent).toBe('Removed provider');
  fireEvent.change(who(), { target: { value: 'manual' } });
  await waitFor(() => expect(conversation.getState().settings?.answers).toEqual({ type: 'manual' }));
  expect(screen.queryByText('Its provider was removed.')).toBeNull();
});

it('does not say that a provider was removed before the providers are known', async () => {
  let answer: (items: ProviderItem[]) => void = () => {};
  open(new Promise((resolve) => (answer = resolve)));
  expect(who().selectedOptions[0]?.textContent).toBe('Loading…');
  expect(screen.queryByText('Its provider was removed.')).toBeNull();
  act(() => answer([PROVIDER]));
  await waitFor(() => expect(who().selectedOptions[0]?.textContent).toBe('Local'));
});

it('says that the providers were not loaded, and why', async () => {
  const failure = new CommandFailure({ code: 'storage', message: 'The disk is full.', detail: null });
  open(Promise.reject(failure));
  expect(await screen.findByText('The providers were not loaded: The disk is full.')).toBeDefined();
  expect(who().selectedOptions[0]?.textContent).toBe('Providers not loaded');
});
