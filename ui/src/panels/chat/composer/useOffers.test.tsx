import { Combobox, MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { ChatEvent, ChatId, ServerId } from '../../../contract/generated';
import { type Answers, ScriptedHost } from '../../../host/scripted';
import { FRESH_SETTINGS } from '../../../model/chat/chats';
import { openConversation } from '../../../model/chat/conversation';
import { connection, server } from '../../../model/servers/servers.fixture';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { PromptMenu } from './PromptMenu';
import { ResourceMenu } from './ResourceMenu';

/** A menu of a conversation with the servers `a` and `b`. */
async function open(menu: 'prompts' | 'resources', answers: Answers) {
  const ready = connection({ state: 'ready' });
  const host = new ScriptedHost({
    server_list: () => ({ items: [server('a', ready), server('b', ready)] }),
    resource_template_list: () => ({ items: [], nextCursor: null }) as never,
    ...answers,
  });
  const model = createModel(host);
  await model.servers.refresh();
  const conversation = openConversation(host, 'c' as ChatId);
  const settings = { ...FRESH_SETTINGS, servers: ['a', 'b'] as ServerId[] };
  const state = { type: 'state', settings, attached: [], total: 0, versions: [], seen: [] };
  host.stream('chat_open').emit(state as unknown as ChatEvent);
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        {menu === 'prompts' ? (
          <Combobox>
            <PromptMenu
              conversation={conversation}
              query=""
              onOffered={vi.fn()}
              onBack={vi.fn()}
              onDone={vi.fn()}
            />
          </Combobox>
        ) : (
          <ResourceMenu conversation={conversation} onDone={vi.fn()} />
        )}
      </ModelProvider>
    </MantineProvider>,
  );
  await act(async () => {});
}

/** Pages of 60 items, the first of which names the second. */
function pages(item: (name: string, index: number) => object): (params: { cursor: string | null }) => never {
  return ({ cursor }) => {
    const from = cursor === null ? 0 : 60;
    const items = Array.from({ length: 60 }, (_, at) => item(`item-${from + at}`, from + at));
    return { items, nextCursor: cursor === null ? 'next' : null } as never;
  };
}

const resource = (name: string) => ({ name, uri: `file:///${name}`, size: null });
const prompt = (name: string, index: number) => ({ name, index, description: null, arguments: [] });

it('finds what is on later pages of a list, and says how many more there are', async () => {
  await open('resources', { resource_list: pages(resource) });
  expect(await screen.findByText('190 more. Search to find them.')).toBeDefined();
  fireEvent.change(screen.getByRole('textbox', { name: 'Search resources' }), {
    target: { value: 'item-119' },
  });
  expect(screen.getAllByText('item-119')).toHaveLength(2);
});

it('says how many more prompts there are', async () => {
  await open('prompts', { prompt_list: pages(prompt) });
  expect(await screen.findByText('190 more. Type to find them.')).toBeDefined();
});

it.each(['prompts', 'resources'] as const)('says of which servers not all %s are listed', async (menu) => {
  const endless =
    (item: (name: string, index: number) => object) =>
    ({ serverId, cursor }: { serverId: ServerId; cursor: string | null }): never => {
      const page = Number(cursor ?? 0);
      const nextCursor = serverId === 'a' || page < 39 ? String(page + 1) : null;
      return { items: [item(`item-${page}`, page)], nextCursor } as never;
    };
  await open(menu, { prompt_list: endless(prompt), resource_list: endless(resource) });
  expect(
    await screen.findByText('Only the first 40 pages of a are listed. Explore has the others.'),
  ).toBeDefined();
});

it.each(['prompts', 'resources'] as const)(
  'offers the %s of the other servers when one fails',
  async (menu) => {
    const list =
      (item: (name: string, index: number) => object) =>
      ({ serverId }: { serverId: ServerId }): never => {
        if (serverId === 'a') throw new Error('it is tired');
        return { items: [item('only', 0)], nextCursor: null } as never;
      };
    await open(menu, { prompt_list: list(prompt), resource_list: list(resource) });
    expect((await screen.findByRole('alert')).textContent).toContain('a: it is tired');
    expect(screen.getByText(menu === 'prompts' ? '/only' : 'only')).toBeDefined();
  },
);
