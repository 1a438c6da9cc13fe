import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ServerId, ServerItem } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { newExchange } from '../../../model/exchange/exchange';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { ExchangeResult } from './ExchangeResult';

const SERVER = 's' as ServerId;

it.each([
  ['modern', 'http', 'Closes the stream of the request, which cancels it'],
  ['modern', 'stdio', 'Sends notifications/cancelled'],
  ['legacy', 'http', 'Sends notifications/cancelled'],
])('says how a request is cancelled: %s, %s', async (era, type, tip) => {
  const server = { id: SERVER, draft: { name: 's', transport: { type } }, connection: { era } };
  const items = [server as ServerItem];
  const model = createModel(new ScriptedHost({ server_list: () => ({ items }) }));
  await model.servers.refresh();
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <ExchangeResult
          exchange={newExchange(1, SERVER, { type: 'resource', uri: 'a:b' }, 0)}
          onCancel={() => {}}
          onAgain={() => {}}
          actions={null}
        />
      </ModelProvider>
    </MantineProvider>,
  );
  expect(screen.getByRole('button', { name: 'Cancel' }).dataset['tip']).toBe(tip);
});
