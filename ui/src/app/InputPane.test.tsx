import { MantineProvider, Modal } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Group, Panel } from 'react-resizable-panels';
import { expect, it, vi } from 'vitest';
import { ScriptedHost } from '../host/scripted';
import { input } from '../model/inbox/inputs.fixture';
import { connection, details, server } from '../model/servers/servers.fixture';
import { ModelProvider, createModel } from '../model/workspace/context';
import { Dialogs } from './Dialogs';
import { InputPane } from './InputPane';
import { theme } from './theme/theme';

/** The window with a request that is being answered, and the dialog of the simulator, opened from it. */
async function openSimulator() {
  const item = input('1');
  const host = new ScriptedHost({
    ui_state_get: () => ({ stateJson: null }),
    ui_state_set: () => ({}),
    server_list: () => ({ items: [server(item.serverId, connection({ state: 'ready' }))] }),
    connection_get: () => details(connection({ state: 'ready' })),
    input_list: () => ({ items: [item], withdrawn: [], answered: [] }),
    input_answer: () => ({}),
    simulator_get: () => ({
      settings: { isOn: false, sampling: null, elicitation: null, roots: null },
      given: [],
    }),
  });
  const model = createModel(host);
  await Promise.all([model.ui.load(), model.servers.refresh(), model.inputs.refresh()]);
  model.workspace.setState({ openInput: item.id });
  render(
    <MantineProvider env="test" theme={theme}>
      <ModelProvider model={model}>
        <Group>
          <Panel>the other panes</Panel>
          <InputPane />
        </Group>
        <Modal.Stack>
          <Dialogs />
        </Modal.Stack>
      </ModelProvider>
    </MantineProvider>,
  );
  const link = await screen.findByRole('button', { name: 'Simulator…' });
  // The request takes the focus after it was drawn.
  await waitFor(() => expect(document.activeElement).not.toBe(document.body));
  // Keys right after the request has opened are taken for others.
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 10_000);
  act(() => link.focus());
  fireEvent.click(link);
  const title = /^Simulator for/;
  return {
    link,
    model,
    isOpen: () => screen.queryByRole('dialog', { name: title, hidden: true }) !== null,
    answers: () => host.calls.filter(({ name }) => name === 'input_answer'),
  };
}

it.each([
  ['in it', (field: HTMLElement) => field],
  // A button that is disabled while its command runs loses the focus.
  ['nowhere', () => document.body],
])('closes only the upper dialog by Escape when the focus is %s', async (_, place) => {
  const { answers, isOpen, link, model } = await openSimulator();
  const field = await screen.findByRole('switch', { name: 'Simulate answers', hidden: true });
  const target = place(field);
  if (target === document.body) act(() => (document.activeElement as HTMLElement).blur());
  fireEvent.keyDown(target, { key: 'Enter', ctrlKey: true });
  fireEvent.keyDown(target, { key: 'Escape' });
  await waitFor(() => expect(isOpen()).toBe(false));
  await waitFor(() => expect(document.activeElement).toBe(link));
  expect(model.workspace.getState().openInput).toBe('1');
  expect(answers()).toEqual([]);
  // Held since an earlier request.
  fireEvent.keyDown(link, { key: 'Escape', repeat: true });
  fireEvent.keyDown(link, { key: 'Enter', ctrlKey: true, repeat: true });
  expect(answers()).toEqual([]);
  fireEvent.keyDown(link, { key: 'Escape' });
  await waitFor(() => expect(answers()).toHaveLength(1));
});

it('closes only the upper dialog by Escape when that does not have the focus yet', async () => {
  const { answers, isOpen, link, model } = await openSimulator();
  await waitFor(() => expect(isOpen()).toBe(true));
  fireEvent.keyDown(link, { key: 'Escape' });
  await waitFor(() => expect(isOpen()).toBe(false));
  expect(model.workspace.getState().openInput).toBe('1');
  expect(answers()).toEqual([]);
});

it('takes keys for the request while a closed dialog fades out', async () => {
  const { answers, isOpen, link } = await openSimulator();
  fireEvent.keyDown(link, { key: 'Escape' });
  await waitFor(() => expect(isOpen()).toBe(false));
  const fading = document.createElement('div');
  fading.setAttribute('aria-modal', 'true');
  document.body.append(fading);
  fireEvent.keyDown(link, { key: 'Escape' });
  fading.remove();
  await waitFor(() => expect(answers()).toHaveLength(1));
});
