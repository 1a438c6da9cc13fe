import { act, renderHook, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { AppTopic, ChatId, ServerId } from '../../contract/generated';
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
  const settings = { ...FRESH_SETTINGS, servers: ['a' as ServerId] };
  host.stream('chat_open').emit({ ...stateOf('idle'), settings } as never);
  const { result, unmount } = renderHook(() => useChatTools(conversation), {
    wrapper: ({ children }) => <ModelProvider model={model}>{children}</ModelProvider>,
  });
  await waitFor(() => expect(result.current.data?.systemPrompt).toBe('1'));
  const tell = (topic: AppTopic, serverId: string): void =>
    act(() => host.stream('app_watch').emit({ topic, serverId: serverId as ServerId, revision: 2 }));
  return { result, tell, unmount, pulls: () => pulls };
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
