import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { ChatCall, ContentItem, ServerId, ToolResultView } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { openConversation } from '../../../model/chat/conversation';
import { connection, server } from '../../../model/servers/servers.fixture';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { CallItem } from './CallItem';
import { CHAT, waitingCall } from './WaitingCalls.fixture';

const LINK: ContentItem = {
  type: 'resourceLink',
  uri: 'file:///report',
  name: 'report',
  title: null,
  description: null,
  mimeType: null,
  size: null,
  annotationsJson: null,
};

const result = (part: Partial<ToolResultView>): ToolResultView => ({
  isError: false,
  content: [],
  structured: null,
  structuredMissing: false,
  violations: [],
  ...part,
});

/** A call that has ended, opened, in the conversation that is shown beside the server `one`. */
async function open(part: Partial<ChatCall>) {
  const host = new ScriptedHost({
    server_list: () => ({ items: [server('one', connection({})), server('two', connection({}))] }),
  });
  const model = createModel(host);
  await model.servers.refresh();
  const one = 'one' as ServerId;
  model.ui.setState({ selectedServer: one, modes: { [one]: 'chat' }, exploreTab: 'tools' });
  const ended = { state: 'done', durationMs: 1, decidedBy: null, error: null, cutFrom: null } as const;
  const call = waitingCall('1', {
    ...ended,
    masked: null,
    requestSeq: null,
    responseSeq: null,
    carried: [],
    ...part,
  });
  const user = userEvent.setup();
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <CallItem call={call} conversation={openConversation(host, CHAT)} />
      </ModelProvider>
    </MantineProvider>,
  );
  await user.click(screen.getByRole('button', { expanded: false }));
  return { model, user };
}

it('opens a linked resource where it can be read: in Resources of the server that was called', async () => {
  const { model, user } = await open({ serverId: 'two' as ServerId, result: result({ content: [LINK] }) });
  await user.click(screen.getByRole('button', { name: 'report' }));
  const { selectedServer, modes, exploreTab } = model.ui.getState();
  expect({ selectedServer, mode: modes['two'], exploreTab }).toEqual({
    selectedServer: 'two',
    mode: 'explore',
    exploreTab: 'resources',
  });
  const { one, two } = model.resourceViews.getState() as Record<string, { shown: unknown }>;
  expect(two?.shown).toEqual({ type: 'resource', uri: 'file:///report', index: -1 });
  expect(one).toBeUndefined();
});

it('does not offer to open a resource of a server that was removed', async () => {
  await open({ serverId: 'gone' as ServerId, result: result({ content: [LINK] }) });
  expect(screen.getByText('report')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'report' })).toBeNull();
});

it('says that a result has no structured content although its tool has an output schema', async () => {
  await open({ result: result({ structuredMissing: true }) });
  expect(screen.getByText(/^Missing: a tool with an output schema/)).toBeDefined();
  expect(screen.queryByText('The result has no content.')).toBeNull();
});
