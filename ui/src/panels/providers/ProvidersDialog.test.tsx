import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ProviderId, ProviderItem } from '../../contract/generated';
import { type Answers, ScriptedHost } from '../../host/scripted';
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

const OPENAI: ProviderItem = {
  id: 'p' as ProviderId,
  name: 'OpenAI',
  api: 'chatCompletions',
  baseUrl: 'https://api.openai.com/v1',
  hasKey: true,
  defaultModel: null,
  models: null,
};

function open(answers: Answers) {
  const host = new ScriptedHost(answers);
  const model = createModel(host);
  model.workspace.setState({ providersOpen: true });
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <ProvidersDialog />
      </ModelProvider>
    </MantineProvider>,
  );
  return { host, model };
}

it('says that a stored key is deleted when the URL becomes one of another host', async () => {
  open({ provider_list: () => ({ items: [OPENAI] }) });
  fireEvent.click(await screen.findByRole('button', { name: /Edit/ }));
  const url = await screen.findByRole('textbox', { name: 'Base URL' });
  const set = (value: string): void => void fireEvent.change(url, { target: { value } });
  set('https://api.openai.com/v2');
  expect(screen.getByText(/Leave this empty to keep it/)).toBeDefined();
  set('https://api.openai.com:8443/v1');
  expect(screen.queryByText(/Leave this empty to keep it/)).toBeNull();
  expect(screen.getByText(/The stored key belongs to api\.openai\.com and is deleted/)).toBeDefined();
  fireEvent.change(screen.getByLabelText('Key'), { target: { value: 'new' } });
  expect(screen.queryByText(/is deleted/)).toBeNull();
});

it('adds a provider once, however often its models are requested meanwhile', async () => {
  let saved: () => void = () => {};
  const { host } = open({
    provider_list: () => ({ items: [] }),
    provider_save: () => new Promise((resolve) => (saved = () => resolve({ providerId: 'p' as ProviderId }))),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Add a provider' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Ollama' }));
  const list = await screen.findByRole('button', { name: 'List models' });
  fireEvent.click(list);
  fireEvent.click(list);
  saved();
  await waitFor(() => expect(list).toHaveProperty('disabled', false));
  expect(host.calls.filter(({ name }) => name === 'provider_save')).toHaveLength(1);
});

it('keeps what is entered when the providers cannot be loaded again', async () => {
  const { host, model } = open({ provider_list: () => ({ items: [] }) });
  fireEvent.click(await screen.findByRole('button', { name: 'Add a provider' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Anthropic' }));
  fireEvent.change(await screen.findByLabelText('Key'), { target: { value: 's3cret' } });
  delete host.answers.provider_list;
  await act(() => model.providers.refresh());
  expect(screen.getByRole('alert').textContent).toContain('no answer for provider_list');
  expect(screen.getByLabelText<HTMLInputElement>('Key').value).toBe('s3cret');
});
