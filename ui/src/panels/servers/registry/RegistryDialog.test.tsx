// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { RegistryServer, RegistrySource, RegistryOption, ServerId } from '../../../contract/generated';
import { CommandFailure } from '../../../host/host';
import { type Answers, ScriptedHost } from '../../../host/scripted';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { RegistryDialog } from './RegistryDialog';

const PACKAGE: RegistryOption = {
  label: 'npm: weather 1.0.0',
  command: 'npx',
  args: ['-y', 'weather@1.0.0', '{city}'],
  url: null,
  members: [{ name: 'API_CODE', value: '{API_CODE}' }],
  program: '/usr/bin/npx',
  schemaJson: JSON.stringify({
    type: 'object',
    properties: { city: { type: 'string', minLength: 1 } },
    required: ['city'],
    additionalProperties: false,
  }),
  valuesJson: '{}',
  blocker: null,
  notes: ['A note.'],
};

const BUNDLE: RegistryOption = {
  ...PACKAGE,
  label: 'mcpb: x',
  command: null,
  args: [],
  program: null,
  schemaJson: null,
  notes: [],
  blocker: 'It is a bundle. Download it.',
};

const SERVER: RegistryServer = {
  name: 'io.github.ada/weather',
  title: 'Weather',
  proposedName: 'Weather 2',
  description: 'Says how it is.',
  version: '1.0.0',
  links: [],
  status: null,
  options: [BUNDLE, PACKAGE],
};

const TEXT: RegistrySource = { type: 'text', text: '{}' };

async function open(source: RegistrySource | null, answers: Answers = {}) {
  const host = new ScriptedHost({
    server_list: () => ({ items: [] }),
    ui_state_set: () => ({}),
    vault_get: () => ({ state: { type: 'ready', kept: 'keychain' }, file: '', count: 0 }),
    registry_read: () => ({ text: 'the text', servers: [SERVER, { ...SERVER, version: '0.9.0' }] }),
    registry_add: () => ({ serverId: 'new' as ServerId }),
    ...answers,
  });
  const model = createModel(host);
  await model.servers.refresh();
  const onClose = vi.fn<() => void>();
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <RegistryDialog source={source} onClose={onClose} />
      </ModelProvider>
    </MantineProvider>,
  );
  const dialog = within(await screen.findByRole('dialog', { name: 'Add a server from server.json' }));
  const called = (name: string): unknown[] =>
    host.calls.filter((call) => call.name === name).map(({ params }) => params);
  return { onClose, dialog, called };
}

describe('a server.json', () => {
  it('begins with what can be added, and is added with the values of its form', async () => {
    const { dialog, called, onClose } = await open(TEXT);
    expect(await dialog.findByRole('heading', { name: 'Weather 1.0.0' })).toBeDefined();
    expect(dialog.getByRole<HTMLInputElement>('radio', { name: /^npm/ }).checked).toBe(true);
    expect(dialog.getByText('npx -y weather@1.0.0 {city}')).toBeDefined();
    expect(dialog.getByText('A note.')).toBeDefined();
    // The type of a setting is no news to its user.
    expect(dialog.queryByText(/string/)).toBeNull();
    fireEvent.click(dialog.getByRole('button', { name: 'Add' }));
    await dialog.findByText('is required');
    expect(called('registry_add')).toEqual([]);
    fireEvent.change(dialog.getByLabelText(/^city/), { target: { value: 'Ulm' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Add' }));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(called('registry_add')[0]).toEqual({
      text: 'the text',
      server: 0,
      option: 1,
      name: 'Weather 2',
      valuesJson: expect.stringContaining('Ulm') as string,
    });
  });

  it('keeps what was entered when Escape is pressed', async () => {
    const { dialog, onClose } = await open(TEXT);
    const escape = (): void => void fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
    fireEvent.click(await dialog.findByRole('radio', { name: /^mcpb/ }));
    fireEvent.click(dialog.getByRole('radio', { name: /^npm/ }));
    escape();
    expect(onClose).toHaveBeenCalledOnce();
    fireEvent.change(dialog.getByLabelText(/^city/), { target: { value: 'Ulm' } });
    escape();
    expect(onClose).toHaveBeenCalledOnce();
    expect(dialog.getByText('Unsaved changes.')).toBeDefined();
  });

  it('keeps the address that was typed when Escape is pressed', async () => {
    const { dialog, onClose } = await open(null);
    fireEvent.change(dialog.getByLabelText('URL of server.json'), { target: { value: 'https://x' } });
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
    expect(onClose).not.toHaveBeenCalled();
  });

  it('says why an option cannot be added', async () => {
    const { dialog } = await open(TEXT);
    fireEvent.click(await dialog.findByRole('radio', { name: /^mcpb/ }));
    expect(dialog.getByRole('alert').textContent).toContain('It is a bundle. Download it.');
    // Nothing is said to be run, and a variable is no header.
    expect(dialog.queryByText('Runs')).toBeNull();
    expect(dialog.getByText('Environment')).toBeDefined();
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Add' }).disabled).toBe(true);
  });

  it('is asked for by its URL, and again after a failure', async () => {
    const refused = new CommandFailure({ code: 'connectionFailed', message: 'No answer.', detail: null });
    const { dialog, called } = await open(null, { registry_read: () => refused });
    fireEvent.change(dialog.getByLabelText('URL of server.json'), { target: { value: 'x' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Read' }));
    expect(dialog.getByText('Enter an http or https address, or choose a file.')).toBeDefined();
    fireEvent.change(dialog.getByLabelText('URL of server.json'), {
      target: { value: 'https://a.example/s.json' },
    });
    fireEvent.click(dialog.getByRole('button', { name: 'Read' }));
    expect((await dialog.findByRole('alert')).textContent).toContain('No answer.');
    expect(called('registry_read')).toEqual([{ source: { type: 'url', url: 'https://a.example/s.json' } }]);
    fireEvent.click(dialog.getByRole('button', { name: 'Choose another…' }));
    expect(dialog.getByLabelText('URL of server.json')).toBeDefined();
  });
});

describe('the focus in its dialog', () => {
  it('goes to the address, then to the name of the server that was read', async () => {
    const { dialog } = await open(null);
    const address = dialog.getByRole('textbox', { name: 'URL of server.json' });
    await waitFor(() => expect(document.activeElement).toBe(address));
    fireEvent.change(address, { target: { value: 'https://example.com/server.json' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Read' }));
    const name = await dialog.findByRole('textbox', { name: 'Name' });
    expect(document.activeElement).toBe(name);
  });

  it('stays at the package that is chosen', async () => {
    const { dialog } = await open(TEXT);
    const user = userEvent.setup();
    await user.click(await dialog.findByRole('radio', { name: /^mcpb/ }));
    expect(dialog.queryByRole('textbox', { name: 'Name' })).toBeNull();
    const other = dialog.getByRole('radio', { name: /^npm/ });
    await user.click(other);
    expect(dialog.getByRole('textbox', { name: 'Name' })).toBeDefined();
    expect(document.activeElement).toBe(other);
  });

  it('goes to what can be done when nothing could be read, and back to the address', async () => {
    const refused = new CommandFailure({ code: 'invalidParams', message: 'Not JSON.', detail: null });
    const { dialog } = await open(TEXT, { registry_read: () => refused });
    const other = await dialog.findByRole('button', { name: 'Choose another…' });
    await waitFor(() => expect(document.activeElement).toBe(other));
    fireEvent.click(other);
    expect(document.activeElement).toBe(dialog.getByRole('textbox', { name: 'URL of server.json' }));
  });
});
