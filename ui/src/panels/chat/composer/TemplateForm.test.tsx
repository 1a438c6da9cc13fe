import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { ChatId, ResourceTemplateItem, ServerId } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { openConversation } from '../../../model/chat/conversation';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { TemplateForm } from './TemplateForm';

it('attaches the resource of the values that are in the fields, once its URI is known', async () => {
  const answers: (() => void)[] = [];
  const host = new ScriptedHost({
    chat_attach: () => ({}) as never,
    resource_template_expand: async ({ values }) => {
      const [first] = values;
      await new Promise<void>((resolve) => void answers.push(resolve));
      return { variables: ['id'], uri: `a:${first?.value.type === 'text' ? first.value.text : ''}` };
    },
  });
  const item = { name: 't', title: null, uriTemplate: 'a:{id}', index: 0 } as ResourceTemplateItem;
  const onDone = vi.fn();
  render(
    <MantineProvider env="test">
      <ModelProvider model={createModel(host)}>
        <TemplateForm
          offer={{ serverId: 's' as ServerId, serverName: 's', item }}
          conversation={openConversation(host, 'c' as ChatId)}
          onDone={onDone}
          onCancel={vi.fn()}
        />
      </ModelProvider>
    </MantineProvider>,
  );
  const answer = () => act(async () => answers.splice(0).forEach((resolve) => resolve()));
  await answer();
  const field = screen.getByRole('textbox', { name: 'id' });
  fireEvent.change(field, { target: { value: 'one' } });
  fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
  const attached = () =>
    host.calls.filter(({ name }) => name === 'chat_attach').map(({ params }) => JSON.stringify(params));
  expect(attached()).toEqual([]);
  await answer();
  expect(attached()).toEqual([expect.stringContaining('"uri":"a:one"')]);
  expect(onDone).toHaveBeenCalled();
});
