import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { ServerId } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { SubscriptionsPanel } from './SubscriptionsPanel';

const user = userEvent.setup();
const uris = (): HTMLTextAreaElement => screen.getByLabelText('Resources');
const prompts = (): HTMLInputElement => screen.getByLabelText('Prompt list');

it('keeps what was typed while another tab or server is shown', async () => {
  const model = createModel(new ScriptedHost({ server_list: () => ({ items: [] }) }));
  const show = (serverId: string): void => {
    cleanup();
    render(
      <MantineProvider env="test">
        <ModelProvider model={model}>
          <SubscriptionsPanel serverId={serverId as ServerId} />
        </ModelProvider>
      </MantineProvider>,
    );
  };
  show('a');
  await user.type(uris(), 'file:///a');
  await user.click(prompts());
  show('b');
  expect([uris().value, prompts().checked]).toEqual(['', false]);
  show('a');
  expect([uris().value, prompts().checked]).toEqual(['file:///a', true]);
});
