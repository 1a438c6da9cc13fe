import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createStore } from 'zustand';
import type { ChatId } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import type { ConversationStore } from '../../../model/chat/conversation';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { EditedCheck } from './EditedCheck';

/** `$ref` twice at each of 40 levels. */
function doubling(): object {
  const both = (at: number) => ({ allOf: [{ $ref: `#/$defs/l${at}` }, { $ref: `#/$defs/l${at}` }] });
  const defs = Array.from({ length: 40 }, (_, at): [string, object] => [`l${at}`, both(at + 1)]);
  return { $ref: '#/$defs/l0', $defs: { ...Object.fromEntries(defs), l40: {} } };
}

function open(inputSchema: object, edited: string): void {
  const tool = {
    serverId: 's',
    tool: 'echo',
    alias: 'echo',
    renamed: null,
    included: true,
    blocked: null,
    description: null,
    hints: {},
    givenJson: JSON.stringify({ name: 'echo', inputSchema }),
    bytes: 1,
  };
  const host = new ScriptedHost({
    chat_tools: () => ({ tools: [tool], bytes: 1, notes: [] }) as never,
  });
  const store = createStore(() => ({ settings: null, items: [] }));
  const conversation = Object.assign(store, { chatId: 'c' as ChatId }) as unknown as ConversationStore;
  render(
    <MantineProvider env="test">
      <ModelProvider model={createModel(host)}>
        <EditedCheck alias="echo" edited={edited} conversation={conversation} />
      </ModelProvider>
    </MantineProvider>,
  );
}

it('says how changed arguments differ from the schema', async () => {
  open({ type: 'object', required: ['text'] }, '{}');
  expect((await screen.findByRole('note')).textContent).toContain('do not match the tool’s schema');
});

it('says that a check is too expensive, and offers to take longer', async () => {
  open(doubling(), '{}');
  expect((await screen.findByRole('note')).textContent).toContain(
    'Not checked: checking against this schema takes too long.',
  );
  expect(screen.getByRole('button', { name: 'Check longer' })).toBeDefined();
});
