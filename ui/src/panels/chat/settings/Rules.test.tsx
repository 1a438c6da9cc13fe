import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ChatId, ChatRule, ServerId } from '../../../contract/generated';
import { CommandFailure } from '../../../host/host';
import { type Answers, ScriptedHost } from '../../../host/scripted';
import { FRESH_SETTINGS } from '../../../model/chat/chats';
import { openConversation } from '../../../model/chat/conversation';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { Rules } from './Rules';

const rule = (tool: string): ChatRule =>
  ({ serverId: 's' as ServerId, covers: { type: 'tool', tool } }) as unknown as ChatRule;

/** The rules of all conversations, as the engine has them. */
function open(rules: ChatRule[], answers: Answers = {}) {
  const host = new ScriptedHost({
    chat_rules_get: () => ({ rules: structuredClone(rules) }),
    chat_list: () => ({ items: [], folder: null }),
    ...answers,
  });
  render(
    <MantineProvider env="test">
      <ModelProvider model={createModel(host)}>
        <Rules conversation={openConversation(host, 'c' as ChatId)} settings={FRESH_SETTINGS} />
      </ModelProvider>
    </MantineProvider>,
  );
  return { host };
}

const removes = () => screen.queryAllByRole('button', { name: 'Remove this rule' });

it('removes two rules at once', async () => {
  const done: (() => void)[] = [];
  open([rule('one'), rule('two')], {
    chat_rule_remove: () => new Promise((resolve) => void done.push(() => resolve({}))),
  });
  await waitFor(() => expect(removes()).toHaveLength(2));
  for (const remove of removes()) fireEvent.click(remove);
  await act(async () => done.forEach((answer) => answer()));
  await waitFor(() => expect(removes()).toHaveLength(0));
});

it('says why a rule was not removed', async () => {
  const failure = new CommandFailure({ code: 'storage', message: 'The disk is full.', detail: null });
  open([rule('one')], { chat_rule_remove: () => failure });
  await waitFor(() => expect(removes()).toHaveLength(1));
  fireEvent.click(removes()[0]!);
  expect((await screen.findByRole('alert')).textContent).toContain('The disk is full.');
  expect(removes()).toHaveLength(1);
});

it('no longer lists a rule that another window removed', async () => {
  const rules = [rule('one')];
  const { host } = open(rules);
  await waitFor(() => expect(removes()).toHaveLength(1));
  rules.length = 0;
  act(() => host.stream('app_watch').emit({ topic: 'chats', serverId: null, revision: 2 }));
  await waitFor(() => expect(removes()).toHaveLength(0));
});

it('no longer says that the rules were not loaded once they are', async () => {
  const failure = new CommandFailure({ code: 'storage', message: 'The disk is full.', detail: null });
  const { host } = open([rule('one')], { chat_rules_get: () => failure });
  expect((await screen.findByRole('alert')).textContent).toContain('The disk is full.');
  host.answers.chat_rules_get = () => ({ rules: [rule('one')] });
  act(() => host.stream('app_watch').emit({ topic: 'chats', serverId: null, revision: 2 }));
  await waitFor(() => expect(removes()).toHaveLength(1));
  expect(screen.queryByRole('alert')).toBeNull();
});
