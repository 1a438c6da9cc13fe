import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Done, InputItem } from '../../../contract/generated';
import { CommandFailure } from '../../../host/host';
import { ScriptedHost } from '../../../host/scripted';
import { input } from '../../../model/inbox/inputs.fixture';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { SimulatorLink, SimulatorNote } from './SimulatorNote';

function open(item: InputItem, takeOver: () => Done = () => ({})) {
  const host = new ScriptedHost({
    ui_state_get: () => ({ stateJson: null }),
    input_list: () => ({ items: [item], withdrawn: [], answered: [] }),
    input_take_over: takeOver,
  });
  const model = createModel(host);
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <SimulatorNote item={item} />
        <SimulatorLink item={item} />
      </ModelProvider>
    </MantineProvider>,
  );
  return { host, model };
}

const HELD = input('1', { simulated: { rule: 'decline, after 5 s', answersAtMs: Date.now() + 5000 } });

it('a request that is held back can be taken over', async () => {
  const { host } = open(HELD);
  expect(screen.getByRole('status').textContent).toContain('Simulator: decline, after 5 s');
  fireEvent.click(screen.getByRole('button', { name: 'Take over' }));
  await waitFor(() =>
    expect(host.calls.find(({ name }) => name === 'input_take_over')?.params).toEqual({ inputId: '1' }),
  );
});

it('says why a request was not taken over', async () => {
  open(HELD, () => {
    throw new CommandFailure({
      code: 'notFound',
      message: 'This request was answered already.',
      detail: null,
    });
  });
  fireEvent.click(screen.getByRole('button', { name: 'Take over' }));
  expect(await screen.findByText('This request was answered already.')).toBeDefined();
});

it('leads to the simulator, and says why that did not answer', () => {
  const reason = 'The simulator did not answer. The script /s.json was not read: it is not a file.';
  const { model } = open(input('1', { proposal: { resultJson: null, reason } }));
  expect(screen.getByRole('status').textContent).toContain(reason);
  fireEvent.click(screen.getByRole('button', { name: 'Simulator…' }));
  expect(model.workspace.getState().dialog).toEqual({ type: 'simulator', serverId: 's' });
});
