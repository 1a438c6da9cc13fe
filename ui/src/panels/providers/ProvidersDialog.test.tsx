import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ScriptedHost } from '../../host/scripted';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { ProvidersDialog } from './ProvidersDialog';

it('the focus goes to the name of a provider that is added, and back to the button that adds one', async () => {
  const model = createModel(new ScriptedHost({ provider_list: () => ({ items: [] }) }));
  model.workspace.setState({ providersOpen: true });
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <ProvidersDialog />
      </ModelProvider>
    </MantineProvider>,
  );
  const add = await screen.findByRole('button', { name: 'Add a provider' });
  await waitFor(() => expect(document.activeElement).toBe(add));
  fireEvent.click(add);
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Ollama' }));
  const name = await screen.findByRole('textbox', { name: 'Name' });
  await waitFor(() => expect(document.activeElement).toBe(name));
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add a provider' })),
  );
});

it('a key that was entered is not lost to Escape', async () => {
  const model = createModel(new ScriptedHost({ provider_list: () => ({ items: [] }) }));
  model.workspace.setState({ providersOpen: true });
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <ProvidersDialog />
      </ModelProvider>
    </MantineProvider>,
  );
  const escape = (): void => void fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
  fireEvent.click(await screen.findByRole('button', { name: 'Add a provider' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Anthropic' }));
  fireEvent.change(await screen.findByLabelText('Key'), { target: { value: 's3cret' } });
  escape();
  escape();
  expect(model.workspace.getState().providersOpen).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'Discard changes' }));
  expect(await screen.findByRole('button', { name: 'Add a provider' })).toBeDefined();
  escape();
  expect(model.workspace.getState().providersOpen).toBe(false);
});
