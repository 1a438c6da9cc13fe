import { MantineProvider } from '@mantine/core';
import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { ServerId, ServerItem } from '../contract/generated';
import { ScriptedHost } from '../host/scripted';
import { type Model, ModelProvider, createModel } from '../model/workspace/context';
import { connection, server } from '../model/servers/servers.fixture';
import { Centre } from './Centre';
import { MODES } from './registry/modes';

const SERVER = 'a' as ServerId;

function show(model: Model): void {
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <Centre />
      </ModelProvider>
    </MantineProvider>,
  );
}

it('keeps what is looked at when the part made ahead, out of sight, fails', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let items = [server('a', connection({ state: 'idle' }))];
  const model = createModel(new ScriptedHost({ server_list: () => ({ items }) }));
  await model.servers.refresh();
  model.ui.setState({ selectedServer: SERVER });
  model.subscriptions.setState({ [SERVER]: 'not what it draws' as never });
  show(model);
  // It failed out of sight.
  expect(isShown(await screen.findByText('This part of Patchbay cannot be shown'))).toBe(false);
  expect(isShown(screen.getByRole('button', { name: 'Connect' }))).toBe(true);

  items = [server('a', connection({ state: 'ready' }))];
  await act(() => model.servers.refresh());
  expect(isShown(await screen.findByText('This part of Patchbay cannot be shown'))).toBe(true);
  model.subscriptions.setState({ [SERVER]: [] });
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(isShown(await screen.findByRole('tab', { name: 'Tools' }))).toBe(true);
});

it('loads the panels ahead as soon as there is a server, and not before', async () => {
  const loads = MODES.map(({ Part }) => vi.spyOn(Part, 'preload'));
  let items: ServerItem[] = [];
  const model = createModel(new ScriptedHost({ server_list: () => ({ items }) }));
  await model.servers.refresh();
  show(model);
  for (const load of loads) expect(load).not.toHaveBeenCalled();
  items = [server('a', connection({ state: 'idle' }))];
  await act(() => model.servers.refresh());
  for (const load of loads) expect(load).toHaveBeenCalledOnce();
});

/** Whether neither the element nor what it is in is hidden. */
function isShown(element: Element | null): boolean {
  return element === null || (getComputedStyle(element).display !== 'none' && isShown(element.parentElement));
}
