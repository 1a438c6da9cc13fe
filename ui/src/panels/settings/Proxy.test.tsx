import { MantineProvider } from '@mantine/core';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { ProxyGetResponse } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { CommandFailure } from '../../host/host';
import { Proxy } from './Proxy';

const SYSTEM: ProxyGetResponse = {
  settings: { mode: 'system', url: '', user: '', bypass: '' },
  hasPassword: false,
  system: 'http://proxy.test:3128',
};

function open(first: ProxyGetResponse, fails = false) {
  let saved = first;
  const host = new ScriptedHost({
    proxy_get: () => saved,
    proxy_set: ({ settings, password }) => {
      if (fails)
        throw new CommandFailure({ code: 'vaultNeeded', message: 'The vault is locked.', detail: null });
      saved = {
        ...saved,
        settings,
        hasPassword: password.type === 'set' || (password.type === 'keep' && saved.hasPassword),
      };
      return {};
    },
  });
  const model = createModel(host);
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <Proxy />
      </ModelProvider>
    </MantineProvider>,
  );
  const sent = () => host.calls.filter(({ name }) => name === 'proxy_set').map(({ params }) => params);
  return { model, sent };
}

it('says which proxy the system names, and saves another mode at once', async () => {
  const { sent } = open(SYSTEM);
  expect(await screen.findByText(/At present http:\/\/proxy\.test:3128/)).toBeTruthy();
  await userEvent.click(screen.getByRole('radio', { name: 'None' }));
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]).toMatchObject({ settings: { mode: 'none' }, password: { type: 'keep' } });
});

it('a manual proxy is saved with its password, which is not shown again', async () => {
  const { sent } = open(SYSTEM);
  await userEvent.click(await screen.findByRole('radio', { name: 'Manual' }));
  expect(sent()).toEqual([]);
  await userEvent.type(screen.getByLabelText('URL'), 'socks5://proxy.test:1080');
  await userEvent.type(screen.getByLabelText('User name'), 'me');
  await userEvent.type(screen.getByLabelText('Password'), 'pw');
  await userEvent.click(screen.getByRole('button', { name: 'Save proxy' }));
  await waitFor(() => expect(screen.getByPlaceholderText('In the vault')).toBeTruthy());
  expect(sent()[0]).toMatchObject({
    settings: { mode: 'manual', url: 'socks5://proxy.test:1080', user: 'me' },
    password: { type: 'set', text: 'pw' },
  });
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('');
  await userEvent.click(screen.getByRole('button', { name: 'Remove password' }));
  await waitFor(() => expect(sent()[1]).toMatchObject({ password: { type: 'none' } }));
});

it('what is typed for a proxy stays when another mode is chosen meanwhile', async () => {
  const { sent } = open(SYSTEM);
  const choose = async (name: string) => userEvent.click(await screen.findByRole('radio', { name }));
  await choose('Manual');
  const typed = {
    URL: 'socks5://half',
    'User name': 'me',
    Password: 'pw',
    'Reached without the proxy': 'a.b',
  };
  for (const [label, text] of Object.entries(typed)) {
    // The fields are filled in one after the other.
    // oxlint-disable-next-line no-await-in-loop
    await userEvent.type(screen.getByLabelText(label), text);
  }
  await choose('None');
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]).toMatchObject({
    settings: { mode: 'none', url: '', user: '' },
    password: { type: 'keep' },
  });
  await choose('Manual');
  const fields = Object.keys(typed).map((label) => screen.getByLabelText<HTMLInputElement>(label).value);
  expect(fields).toEqual(Object.values(typed));
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save proxy' }).disabled).toBe(false);
});

it('what is typed stays when the vault is needed first, which is one click away', async () => {
  const { model } = open(
    { ...SYSTEM, settings: { ...SYSTEM.settings, mode: 'manual', url: 'http://p:1' } },
    true,
  );
  await userEvent.type(await screen.findByLabelText('User name'), 'me');
  await userEvent.click(screen.getByRole('button', { name: 'Save proxy' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Open the vault…' }));
  expect(model.workspace.getState().vaultOpen).toBe(true);
  expect(screen.getByLabelText<HTMLInputElement>('User name').value).toBe('me');
});

it('another mode is saved without the URL that is being typed', async () => {
  const manual = { ...SYSTEM.settings, mode: 'manual', url: 'http://p:1' } as const;
  const { sent } = open({ ...SYSTEM, settings: manual });
  const url = await screen.findByLabelText('URL');
  await userEvent.clear(url);
  await userEvent.type(url, 'http:/');
  await userEvent.click(screen.getByRole('radio', { name: 'None' }));
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]).toEqual({
    settings: { ...manual, mode: 'none' },
    password: { type: 'keep' },
  });
});

it('the password is removed without saving what is typed', async () => {
  const settings = { mode: 'system', url: 'http://p:1', user: 'me', bypass: '' } as const;
  const { sent } = open({ ...SYSTEM, settings, hasPassword: true });
  await userEvent.click(await screen.findByRole('radio', { name: 'Manual' }));
  await userEvent.type(screen.getByLabelText('URL'), '23');
  await userEvent.click(screen.getByRole('button', { name: 'Remove password' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove password' })).toBeNull());
  expect(sent()).toEqual([{ settings, password: { type: 'none' } }]);
  expect(screen.getByLabelText<HTMLInputElement>('URL').value).toBe('http://p:123');
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Manual' }).checked).toBe(true);
});

it('shows the mode that is used when another one could not be saved', async () => {
  open({ ...SYSTEM, settings: { ...SYSTEM.settings, mode: 'manual', url: 'http://p:1' } }, true);
  await userEvent.click(await screen.findByRole('radio', { name: 'None' }));
  expect(await screen.findByRole('alert')).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Manual' }).checked).toBe(true);
  expect(screen.getByLabelText<HTMLInputElement>('URL').value).toBe('http://p:1');
});
