import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ChatId } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { openConversation } from '../../../model/chat/conversation';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { RawView } from './RawView';

it('has its own list below its filter, whatever lists are drawn before it', async () => {
  const host = new ScriptedHost({});
  render(
    <MantineProvider env="test">
      <ModelProvider model={createModel(host)}>
        <div role="listbox" aria-label="Tools" tabIndex={0} />
        <RawView conversation={openConversation(host, 'c' as ChatId)} />
      </ModelProvider>
    </MantineProvider>,
  );
  const filter = screen.getByLabelText('Filter these records');
  filter.focus();
  fireEvent.keyDown(filter, { key: 'ArrowDown' });
  expect(document.activeElement).toBe(screen.getByRole('listbox', { name: 'Conversation records' }));
});
