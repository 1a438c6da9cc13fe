import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ScriptedHost } from '../../../host/scripted';
import { connection, server } from '../../../model/servers/servers.fixture';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { Inbox } from '../Inbox';

it('a server that asked for roots and got less is a card of the inbox, which leads to its roots', async () => {
  const ready = connection({ state: 'ready' });
  const host = new ScriptedHost({
    server_list: () => ({ items: [server('a', ready, { withheldRoots: 2 }), server('b', ready)] }),
    input_list: () => ({ still: [], items: [], withdrawn: [], answered: [] }),
  });
  const model = createModel(host);
  await model.servers.refresh();
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <Inbox />
      </ModelProvider>
    </MantineProvider>,
  );
  expect(screen.getByTestId('inbox-count').textContent).toBe('1');
  const name = 'a requested your roots: 2 folders not sent until you allow it';
  fireEvent.click(screen.getByRole('button', { name }));
  expect(model.ui.getState()).toMatchObject({
    selectedServer: 'a',
    exploreTab: 'roots',
    modes: { a: 'explore' },
  });
});
