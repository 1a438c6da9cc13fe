import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ChatCall, ChatId, ServerId, ToolHints } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { openConversation } from '../../../model/chat/conversation';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { Approval } from './Approval';

function show(hints: Partial<ToolHints>): void {
  const host = new ScriptedHost({});
  const call = {
    id: 'c1',
    alias: 'echo',
    serverId: 's' as ServerId,
    serverName: 'Files',
    tool: 'echo',
    hints: { readOnly: null, destructive: null, idempotent: null, openWorld: null, ...hints },
    argumentsJson: '{}',
    editedJson: null,
    problems: [] as string[],
    notChecked: null,
    askedBecause: null,
    definitionChanged: false,
  } as ChatCall;
  render(
    <MantineProvider env="test">
      <ModelProvider model={createModel(host)}>
        <Approval call={call} conversation={openConversation(host, 'c' as ChatId)} />
      </ModelProvider>
    </MantineProvider>,
  );
}

describe('the question whether a call may run', () => {
  it.each([
    [{}, 'Runs echo on Files · does not declare whether it modifies data'],
    [{ destructive: false }, 'Runs echo on Files'],
    [{ readOnly: true }, 'Runs echo on Files · marked as read-only (declared by the server, not verified)'],
    [
      { destructive: true },
      'Runs echo on Files · marked as destructive (declared by the server, not verified)',
    ],
  ])('says what the server declares about the tool: %o', (hints, facts) => {
    show(hints);
    expect(screen.getByText(facts)).toBeDefined();
  });

  it('offers a rule for all tools but those marked as destructive', async () => {
    show({});
    fireEvent.click(screen.getByRole('button', { name: 'Run without asking again' }));
    const name = 'Run all tools of Files in this conversation, except those marked as destructive';
    expect(await screen.findByRole('menuitem', { name })).toBeDefined();
  });

  it('offers no rule for a tool marked as destructive', () => {
    show({ destructive: true });
    expect(screen.queryByRole('button', { name: 'Run without asking again' })).toBeNull();
  });
});
