import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { SimulatorSettings } from '../../contract/generated';
import { CommandFailure } from '../../host/host';
import { ScriptedHost } from '../../host/scripted';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { connection, server } from '../../model/servers/servers.fixture';
import { SimulatorDialog } from './SimulatorDialog';

const OFF: SimulatorSettings = { isOn: false, sampling: null, elicitation: null, roots: null };

async function open(
  settings: SimulatorSettings,
  answers: ConstructorParameters<typeof ScriptedHost>[0] = {},
) {
  const host = new ScriptedHost({
    ui_state_get: () => ({ stateJson: null }),
    simulator_get: () => ({ settings, given: [{ kind: 'elicitation', given: 1 }] }),
    simulator_set: () => ({}),
    simulator_check: ({ script }) =>
      script.type === 'text' && script.json.startsWith('[')
        ? { type: 'valid', answers: 3 }
        : { type: 'invalid', problem: 'The script is not valid: it is not JSON.' },
    ...answers,
  });
  const onClose = vi.fn();
  render(
    <MantineProvider env="test">
      <ModelProvider model={createModel(host)}>
        <SimulatorDialog server={server('s', connection({}))} onClose={onClose} />
      </ModelProvider>
    </MantineProvider>,
  );
  await screen.findByRole('form', { name: 'Simulator', hidden: true });
  const sent = (): unknown[] =>
    host.calls.filter(({ name }) => name === 'simulator_set').map(({ params }) => params);
  return { onClose, sent };
}

const change = (label: string, value: string): void =>
  void fireEvent.change(screen.getByLabelText(label), { target: { value } });
const save = (): void => void fireEvent.click(screen.getByRole('button', { name: 'Save', hidden: true }));

it('choosing an answer switches the simulator on, and is saved with its delay', async () => {
  const { onClose, sent } = await open(OFF);
  change('Answer to elicitation', 'decline');
  change('Seconds before the answer to elicitation', '1.5');
  save();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(sent()).toEqual([
    {
      serverId: 's',
      settings: { ...OFF, isOn: true, elicitation: { answer: { type: 'decline' }, delayMs: 1500 } },
    },
  ]);
});

it('what was entered is not lost to Escape', async () => {
  const { onClose } = await open(OFF);
  const escape = (): void => void fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
  change('Answer to elicitation', 'decline');
  escape();
  escape();
  expect(onClose).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('button', { name: 'Discard changes' }));
  expect(onClose).toHaveBeenCalledOnce();
});

it('wrong fields are said and nothing is sent', async () => {
  const { sent } = await open(OFF);
  change('Answer to sampling', 'error');
  change('Error code for sampling', 'x');
  save();
  expect(await screen.findByText('Enter a whole number.')).toBeDefined();
  expect(sent()).toEqual([]);
});

it('a script is checked, says how far it is, and a refusal keeps the dialog open', async () => {
  const refused = new CommandFailure({
    code: 'invalidParams',
    message: 'Elicitation: The script is not valid.',
    detail: null,
  });
  const { onClose } = await open(
    {
      ...OFF,
      isOn: true,
      elicitation: {
        answer: { type: 'script', script: { type: 'text', json: '[1]' }, atEnd: 'ask' },
        delayMs: 0,
      },
    },
    {
      simulator_set: () => {
        throw refused;
      },
    },
  );
  expect(await screen.findByText('3 answers, 1 sent on this connection')).toBeDefined();
  expect(screen.getByLabelText<HTMLSelectElement>('After the last answer').value).toBe('ask');
  save();
  expect(await screen.findByText('Elicitation: The script is not valid.')).toBeDefined();
  expect(onClose).not.toHaveBeenCalled();
});
