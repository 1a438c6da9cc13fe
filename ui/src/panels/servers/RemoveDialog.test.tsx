import { MantineProvider } from '@mantine/core';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { ScriptedHost } from '../../host/scripted';
import { connection, server } from '../../model/servers/servers.fixture';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { RemoveDialog } from './RemoveDialog';

const items = ['a', 'b', 'c'].map((name) => server(name, connection({})));
const [a, b, c] = items as [(typeof items)[0], (typeof items)[0], (typeof items)[0]];

it.each([
  ['the next one, if the removed one was selected', b, b, c.id],
  ['the one before, if it was the last', c, c, b.id],
  ['as it was, if another one was removed', b, a, a.id],
])('selects %s', async (_, removed, selected, after) => {
  const model = createModel(new ScriptedHost({ server_list: () => ({ items }), server_remove: () => ({}) }));
  await model.servers.refresh();
  const preset = { name: 'one', tool: 't', text: '{}' };
  model.ui.setState({ selectedServer: selected.id, presets: { [removed.id]: [preset], other: [preset] } });
  const onClose = vi.fn<() => void>();
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <RemoveDialog server={removed} onClose={onClose} />
      </ModelProvider>
    </MantineProvider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(model.ui.getState().selectedServer).toBe(after);
  expect(model.ui.getState().presets).toEqual({ other: [preset] });
});
