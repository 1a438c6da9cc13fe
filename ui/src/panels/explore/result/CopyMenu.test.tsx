import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { ServerId, ServerItem } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { newExchange } from '../../../model/exchange/exchange';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { CopyMenu } from './CopyMenu';

const SERVER = 's' as ServerId;

it('names a server on the command line as its settings do, not as it calls itself', async () => {
  const server = {
    id: SERVER,
    draft: { name: '127.0.0.1:3000', transport: { type: 'http', url: 'http://127.0.0.1:3000/mcp' } },
    connection: { state: 'ready', server: { name: 'github', title: 'github' } },
  } as ServerItem;
  const model = createModel(new ScriptedHost({ server_list: () => ({ items: [server] }) }));
  await model.servers.refresh();
  const user = userEvent.setup();
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <CopyMenu exchange={newExchange(1, SERVER, { type: 'resource', uri: 'a:b' }, 0)} />
      </ModelProvider>
    </MantineProvider>,
  );
  await user.click(screen.getByRole('button', { name: 'Copy as' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Command line' }));
  expect(await navigator.clipboard.readText()).toBe('patchbay resources read --server 127.0.0.1:3000 a:b');
});
