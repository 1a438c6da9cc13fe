// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { BundleId, BundleReview, ServerId } from '../../../contract/generated';
import { CommandFailure } from '../../../host/host';
import { type Answers, ScriptedHost } from '../../../host/scripted';
import type { BundleFile } from '../../../model/servers/adding/bundles/bundleFile';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { BundleDialog } from './BundleDialog';

const REVIEW: BundleReview = {
  bundleId: 'b1' as BundleId,
  name: 'Hello',
  title: 'Hello World',
  version: '1.2.0',
  manifestVersion: '0.3',
  description: 'Says hello.',
  longDescription: null,
  author: 'Ada',
  license: 'MIT',
  links: [{ label: 'Home page', url: 'https://example.com' }],
  serverType: 'node',
  command: 'node',
  args: ['${__dirname}/index.js'],
  env: [{ name: 'API_KEY', value: '${user_config.key}' }],
  tools: [{ name: 'greet', description: 'Greets' }],
  toolsGenerated: true,
  prompts: [],
  promptsGenerated: false,
  platforms: ['linux'],
  runtimes: [{ name: 'node', versions: '>=18' }],
  program: '/usr/bin/node',
  signature: 'none',
  sha256: 'ab'.repeat(32),
  size: 1200,
  files: 3,
  unpackedSize: 5000,
  folder: '/data/bundles',
  schemaJson: JSON.stringify({
    type: 'object',
    properties: { key: { type: 'string', format: 'password', title: 'API key', minLength: 1 } },
    required: ['key'],
    additionalProperties: false,
  }),
  valuesJson: '{}',
  blockers: [],
  notes: [],
};

const PATH: BundleFile = { type: 'path', path: '/x/hello.mcpb' };

async function open(bundle: BundleFile | null, answers: Answers = {}) {
  const host = new ScriptedHost({
    server_list: () => ({ items: [] }),
    ui_state_set: () => ({}),
    vault_get: () => ({ state: { type: 'ready', kept: 'keychain' }, file: '', count: 0 }),
    bundle_open: () => REVIEW,
    bundle_close: () => ({}),
    bundle_add: () => ({ serverId: 'new' as ServerId }),
    connection_open: () => ({}),
    ...answers,
  });
  const model = createModel(host);
  await model.servers.refresh();
  const onClose = vi.fn<() => void>();
  const { unmount } = render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <BundleDialog bundle={bundle} onClose={onClose} />
      </ModelProvider>
    </MantineProvider>,
  );
  const dialog = within(await screen.findByRole('dialog', { name: 'Add a server from a bundle' }));
  const called = (name: string): unknown[] =>
    host.calls.filter((call) => call.name === name).map(({ params }) => params);
  return { onClose, dialog, called, unmount, user: userEvent.setup() };
}

describe('a bundle', () => {
  it('is shown with what would run, and asked for nothing before it is added', async () => {
    const { dialog, called } = await open(PATH);
    expect(await dialog.findByRole('heading', { name: 'Hello World 1.2.0' })).toBeDefined();
    expect(dialog.getByText('node ${__dirname}/index.js')).toBeDefined();
    expect(dialog.getByText('API_KEY=${user_config.key}')).toBeDefined();
    expect(dialog.getByText('node >=18 · on linux · found: /usr/bin/node')).toBeDefined();
    expect(dialog.getByText('Not signed')).toBeDefined();
    expect(dialog.getByText('More when it runs')).toBeDefined();
    expect(called('bundle_add')).toEqual([]);
  });

  it('needs what it requires, and is added with the values of its form', async () => {
    const { dialog, called, onClose } = await open(PATH);
    const key = await dialog.findByLabelText(/^key/);
    await waitFor(() => expect(key.getAttribute('type')).toBe('password'));
    fireEvent.click(dialog.getByRole('button', { name: 'Add and connect' }));
    await dialog.findByText('is required');
    expect(called('bundle_add')).toEqual([]);
    fireEvent.change(key, { target: { value: 's3cret' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Add and connect' }));
    await waitFor(() => expect(called('bundle_add')).toMatchObject([{ bundleId: 'b1', name: 'Hello' }]));
    const { valuesJson } = called('bundle_add')[0] as { valuesJson: string };
    expect(JSON.parse(valuesJson)).toEqual({ key: 's3cret' });
    await waitFor(() => expect(called('connection_open')).toEqual([{ serverId: 'new' }]));
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('keeps what was entered when Escape is pressed', async () => {
    const { dialog, onClose } = await open(PATH);
    const escape = (): void => void fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
    fireEvent.change(await dialog.findByLabelText(/^key/), { target: { value: 's3cret' } });
    escape();
    expect(onClose).not.toHaveBeenCalled();
    fireEvent.click(dialog.getByRole('button', { name: 'Discard changes' }));
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('is closed by Escape while nothing was entered', async () => {
    const { dialog, onClose } = await open(PATH);
    await dialog.findByLabelText(/^key/);
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('cannot be added where it cannot run, and says why', async () => {
    const blockers = ['The bundle is run by `node`, which was not found in PATH.'];
    const { dialog } = await open(PATH, { bundle_open: () => ({ ...REVIEW, blockers }) });
    expect((await dialog.findByRole('alert')).textContent).toContain('not found in PATH');
    for (const name of ['Add', 'Add and connect']) {
      expect(dialog.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true);
    }
  });

  it('that cannot be read offers another file, which is then read', async () => {
    const refused = new CommandFailure({ code: 'invalidParams', message: 'It is damaged.', detail: null });
    const { dialog, called, user } = await open(PATH, {
      bundle_open: ({ source }) => (source.type === 'path' ? refused : REVIEW),
      bundle_upload: () => ({ bundleId: 'b1' as BundleId }),
    });
    expect((await dialog.findByRole('alert')).textContent).toContain('It is damaged.');
    expect(dialog.getByText('hello.mcpb')).toBeDefined();
    await user.upload(dialog.getByLabelText('Bundle'), new File(['x'], 'other.mcpb'));
    expect(await dialog.findByRole('heading', { name: 'Hello World 1.2.0' })).toBeDefined();
    expect(called('bundle_upload')).toEqual([{ bundleId: null, data: 'eA==' }]);
  });

  it('is forgotten when the dialog closes', async () => {
    const { dialog, called, unmount } = await open(PATH);
    await dialog.findByRole('heading', { name: 'Hello World 1.2.0' });
    unmount();
    expect(called('bundle_close')).toEqual([{ bundleId: 'b1' }]);
  });

  it('is chosen in the dialog if none was chosen before', async () => {
    const { dialog } = await open(null);
    expect(dialog.getByText('Choose a bundle')).toBeDefined();
    expect(dialog.getByRole('button', { name: 'Choose a file…' })).toBeDefined();
  });
});

describe('the focus in its dialog', () => {
  it('goes to the name once the bundle is read', async () => {
    const { dialog } = await open(PATH);
    const name = await dialog.findByRole('textbox', { name: 'Name' });
    await waitFor(() => expect(document.activeElement).toBe(name));
  });

  it('goes to the choice of another file when the bundle cannot be read', async () => {
    const refused = new CommandFailure({ code: 'invalidParams', message: 'Not a ZIP file.', detail: null });
    const { dialog } = await open(PATH, { bundle_open: () => refused });
    const other = await dialog.findByRole('button', { name: 'Choose another file…' });
    await waitFor(() => expect(document.activeElement).toBe(other));
  });
});
