import { MantineProvider } from '@mantine/core';
import { act, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ChatEvent, ChatItem } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { openConversation } from '../../model/chat/conversation';
import { TurnStatus } from './TurnStatus';
import { CHAT, stateOf, waitingCall } from './items/WaitingCalls.fixture';

it('says what happens in a turn', () => {
  const host = new ScriptedHost();
  const conversation = openConversation(host, CHAT);
  render(
    <MantineProvider env="test">
      <TurnStatus conversation={conversation} />
    </MantineProvider>,
  );
  const said = (...events: ChatEvent[]): string => {
    act(() => events.forEach((event) => host.stream('chat_open').emit(event)));
    return screen.getByRole('status').textContent;
  };
  const item = (part: object): ChatEvent => ({ type: 'items', items: [part as ChatItem] });
  expect(said(stateOf('answering'))).toBe('');
  expect(said({ type: 'live', by: 'm', atMs: 2 })).toBe('Answering: m');
  expect(said(item({ type: 'answer', id: '2', by: 'm', atMs: 2 }))).toBe('Answer from m');
  const call = (id: string): ChatEvent => item({ type: 'call', call: waitingCall(id) });
  expect(said(call('3'), stateOf('calling', 1))).toBe('Waiting for you: 1 call');
  expect(said(call('4'), stateOf('calling', 2))).toBe('Waiting for you: 2 calls');
  const notice = { type: 'notice', id: '5', atMs: 3, kind: 'stopped', cause: 'You stopped this turn.' };
  expect(said(item(notice), stateOf('idle'))).toBe('You stopped this turn.');
});
