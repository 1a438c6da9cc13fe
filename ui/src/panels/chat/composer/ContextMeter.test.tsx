import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ChatId, ChatItem } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { FRESH_SETTINGS } from '../../../model/chat/chats';
import { openConversation } from '../../../model/chat/conversation';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { ContextMeter } from './ContextMeter';

it('says which answers its cost is of', async () => {
  const price = { input: 3, output: 15 };
  const provider = { id: 'p', name: 'Router', models: [{ id: 'big', name: null, context: 200_000, price }] };
  const host = new ScriptedHost({ provider_list: () => ({ items: [provider] }) as never });
  const model = createModel(host);
  await model.providers.refresh();
  const conversation = openConversation(host, 'c' as ChatId);
  const answer = { type: 'answer', by: 'big · Router', byModel: true, inputTokens: 1_000, outputTokens: 100 };
  conversation.setState({ items: [answer as ChatItem], settings: FRESH_SETTINGS });
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <ContextMeter conversation={conversation} />
      </ModelProvider>
    </MantineProvider>,
  );
  const tip = screen.getByRole('group', { name: 'Model context' }).dataset['tip'];
  expect(tip).toContain('Cost of the shown answers');
  expect(tip).toContain('without other versions and failed requests');
});
