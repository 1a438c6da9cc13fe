import { act, renderHook, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { AppTopic, ChatCall, ChatEvent, ChatId, ChatPhase, ServerId } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { FRESH_SETTINGS } from '../../model/chat/chats';
import { openConversation } from '../../model/chat/conversation';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { stateOf } from './items/WaitingCalls.fixture';
import { useChatTools } from './useChatTools';

/** The tools of a conversation with the server `a`, which has another prompt each time it is asked. */
async function open() {
  let pulls = 0;
  const host = new ScriptedHost({
    chat_tools: () => ({ servers: [], tools: [], search: null, systemPrompt: `${(pulls += 1)}` }),
  });
  const model = createModel(host);
  const conversation = openConversation(host, 'c' as ChatId);
  const tellState = (phase: ChatPhase): void => {
    const settings = { ...FRESH_SETTINGS, servers: ['a' as ServerId] };
    host.stream('chat_open').emit({ ...stateOf(phase), settings } as never);
  };
  tellState('idle');
  const { result, unmount } = renderHook(() => useChatTools(conversation), {
    wrapper: ({ children }) => <ModelProvider model={model}>{children}</ModelProvider>,
  });
  await waitFor(() => expect(result.current.data?.systemPrompt).toBe('1'));
  const tell = (topic: AppTopic, serverId: string): void =>
    act(() => host.stream('app_watch').emit({ topic, serverId: serverId as ServerId, revision: 2 }));
  const chat = (event: ChatEvent): void => act(() => host.stream('chat_open').emit(event));
  const state = (phase: ChatPhase): void => act(() => tellState(phase));
  return { result, tell, chat, state, unmount, pulls: () => pulls };
}

it.each(['tools', 'toolDefinitions'] as const)('pulls what the model gets when %s change', async (topic) => {
  const { result, tell } = await open();
  tell(topic, 'a');
  await waitFor(() => expect(result.current.data?.systemPrompt).toBe('2'));
});

it('is not concerned by other servers, nor by changes after it is gone', async () => {
  const { pulls, tell, unmount } = await open();
  const before = pulls();
  tell('tools', 'b');
  unmount();
  tell('tools', 'a');
  await act(async () => {});
  expect(pulls()).toBe(before);
});

it('pulls nothing when another state of the conversation has the same settings', async () => {
  const { pulls, state, result, tell } = await open();
  state('answering');
  state('calling');
  // What is pulled next is the second.
  tell('tools', 'a');
  await waitFor(() => expect(result.current.data?.systemPrompt).toBe('2'));
  expect(pulls()).toBe(2);
});

it('pulls what the model gets when it has found other tools', async () => {
  const { chat, result } = await open();
  const call = { id: '3', serverId: null, state: 'done', result: null } as unknown as ChatCall;
  chat({ type: 'items', items: [{ type: 'call', call }] });
  await waitFor(() => expect(result.current.data?.systemPrompt).toBe('2'));
});
