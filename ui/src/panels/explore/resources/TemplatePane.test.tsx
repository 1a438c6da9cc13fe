import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { ServerId, ServerItem } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { TemplatePane } from './TemplatePane';

const SERVER = 's' as ServerId;

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe(): void {}
      unobserve(): void {}
      disconnect(): void {}
    },
  );
  return () => vi.unstubAllGlobals();
});

it('reads the URI of the values that are in the fields, once it is known', async () => {
  const answers: (() => void)[] = [];
  const host = new ScriptedHost({
    server_list: () => ({
      items: [{ id: SERVER, draft: { name: 's' }, connection: { state: 'ready' } } as ServerItem],
    }),
    resource_template_expand: async ({ values }) => {
      const [first] = values;
      await new Promise<void>((resolve) => void answers.push(resolve));
      return { variables: ['id'], uri: `a:${first?.value.type === 'text' ? first.value.text : ''}` };
    },
  });
  const model = createModel(host);
  await model.servers.refresh();
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <div data-run-scope>
          <TemplatePane serverId={SERVER} uriTemplate="a:{id}" item={undefined} />
        </div>
      </ModelProvider>
    </MantineProvider>,
  );
  const answer = () => act(async () => answers.splice(0).forEach((resolve) => resolve()));
  await answer();
  const field = screen.getByRole('textbox', { name: 'id' });
  fireEvent.change(field, { target: { value: 'one' } });
  fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
  const read = () => host.streams('resource_read').map(({ params }) => params.uri);
  expect(read()).toEqual([]);
  await answer();
  expect(read()).toEqual(['a:one']);
});
