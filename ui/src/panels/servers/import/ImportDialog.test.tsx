// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type {
  HostFile,
  HostFindResponse,
  HostServer,
  ServerId,
  ServerItem,
  TransportDraft,
} from '../../../contract/generated';
import { type Answers, ScriptedHost } from '../../../host/scripted';
import { connection, server } from '../../../model/servers/servers.fixture';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { ImportDialog } from './ImportDialog';

const weather = server('weather', connection({ state: 'idle' }));

function hostServer(name: string, part: Partial<HostServer> = {}): HostServer {
  return {
    name,
    draft: {
      name,
      transport: { type: 'stdio', command: 'npx', args: ['-y', name], env: [], cwd: null },
      era: 'auto',
      timeouts: weather.draft.timeouts,
    },
    project: null,
    disabled: false,
    problems: [],
    secrets: [],
    inputs: [],
    comparison: { type: 'new' },
    ...part,
  };
}

function file(host: string, part: Partial<HostFile>): HostFile {
  return { place: { host, path: `/users/me/${host}.json` }, servers: [], problems: [], ...part };
}

const ABSENT = [{ host: 'Zed', path: '/users/me/.config/zed/settings.json' }];

/** The window with the dialog open. */
async function open(files: HostFile[], answers: Answers = {}, items: ServerItem[] = [weather]) {
  const host = new ScriptedHost({
    ui_state_get: () => ({ stateJson: '{}' }),
    ui_state_set: () => ({}),
    server_list: () => ({ items }),
    vault_get: () => ({ state: { type: 'ready', kept: 'keychain' }, file: '', count: 0 }),
    host_find: (): HostFindResponse => ({ files, absent: ABSENT }),
    server_add: () => ({ serverId: 'added' as ServerId }),
    server_update: () => ({}),
    ...answers,
  });
  const model = createModel(host);
  await Promise.all([model.ui.load(), model.servers.refresh()]);
  const onClose = vi.fn<() => void>();
  render(
    <MantineProvider>
      <ModelProvider model={model}>
        <ImportDialog source={{ type: 'hosts' }} onClose={onClose} />
      </ModelProvider>
    </MantineProvider>,
  );
  const dialog = within(await screen.findByRole('dialog', { name: 'Import servers from other hosts' }));
  const called = (name: string): unknown[] =>
    host.calls.filter((call) => call.name === name).map(({ params }) => params);
  return { onClose, dialog, called, user: userEvent.setup() };
}

describe('importing servers', () => {
  it('chooses what is new and on, and adds nothing else', async () => {
    const disabled = hostServer('off', { disabled: true });
    const same = hostServer('same', {
      comparison: { type: 'same', serverId: weather.id, name: 'weather' },
    });
    const { dialog, called, onClose, user } = await open([
      file('Cursor', { servers: [hostServer('new'), disabled, same] }),
    ]);
    expect(await dialog.findByText('npx -y new')).toBeDefined();
    expect(dialog.getByText('/users/me/Cursor.json')).toBeDefined();
    expect(dialog.getByText('Disabled in the host')).toBeDefined();
    expect(dialog.getByText('Same as weather')).toBeDefined();
    expect(dialog.getByRole<HTMLInputElement>('checkbox', { name: /^same/ }).disabled).toBe(true);
    expect(called('server_add')).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Add 1 server' }));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(called('server_add')).toEqual([{ draft: hostServer('new').draft, inputAnswers: {} }]);
    expect(called('connection_open')).toEqual([]);
  });

  it('does not lose a choice to Escape', async () => {
    const { dialog, onClose, user } = await open([file('Cursor', { servers: [hostServer('new')] })]);
    const escape = (): void => void fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
    const box = await dialog.findByRole('checkbox', { name: /^new/ });
    await user.click(box);
    escape();
    expect(onClose).not.toHaveBeenCalled();
    await user.click(box);
    escape();
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('updates a server that differs, keeping its other settings, or adds it beside', async () => {
    // The engine says how an update starts it; another host decides neither the proxy nor what is trusted.
    const transport: TransportDraft = {
      type: 'stdio',
      command: 'uvx',
      args: ['weather'],
      env: [],
      cwd: null,
    };
    const differing = hostServer('weather', {
      draft: { ...hostServer('weather').draft, name: 'weather 2' },
      comparison: {
        type: 'differs',
        serverId: weather.id,
        name: 'weather',
        differences: [{ setting: 'Arguments', ours: '', theirs: '-y\nweather' }],
        transport,
      },
    });
    const { dialog, called, user } = await open([file('Cursor', { servers: [differing] })]);
    const cells = within(await dialog.findByRole('table')).getAllByRole('cell');
    expect(cells.map(({ textContent }) => textContent)).toEqual(['–', '-y\nweather']);
    const box = dialog.getByRole('checkbox', { name: /^weather/ });
    expect((box as HTMLInputElement).checked).toBe(false);
    await user.click(box);
    await user.click(dialog.getByRole('button', { name: 'Add 1 server' }));
    await waitFor(() =>
      expect(called('server_update')).toEqual([
        { serverId: weather.id, draft: { ...weather.draft, transport }, inputAnswers: {} },
      ]),
    );
    expect(called('server_add')).toEqual([]);
  });

  it('asks for the inputs of the chosen servers only, and fills them in', async () => {
    const input = { password: false, default: null, options: [] };
    const region = { ...input, id: 'region', description: '', default: 'eu' };
    const asking = hostServer('asking', {
      inputs: [region, { ...input, id: 'token', description: 'API token', password: true }],
      draft: {
        ...hostServer('asking').draft,
        transport: {
          type: 'http',
          url: 'https://${input:region}.example/mcp',
          kind: 'auto',
          headers: [{ name: 'Authorization', value: 'Bearer ${input:token}', isSecret: true }],
          proxy: { type: 'system' },
          caFile: null,
          clientCertificate: null,
          acceptedFingerprint: null,
        },
      },
    });
    const off = hostServer('off', {
      disabled: true,
      inputs: [region, { ...input, id: 'other', description: 'Not asked for' }],
    });
    const { dialog, called, onClose, user } = await open([file('VS Code', { servers: [asking, off] })]);
    // Not typed: without a layout, every pointer hits the dividers of the panes behind the dialog.
    fireEvent.change(await dialog.findByLabelText('API token'), { target: { value: 's3cret' } });
    expect(dialog.getByLabelText<HTMLInputElement>('region').value).toBe('eu');
    expect(dialog.queryByLabelText('Not asked for')).toBeNull();
    // What was entered is not dropped by Escape.
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
    expect(onClose).not.toHaveBeenCalled();
    expect(dialog.getByText('Unsaved changes.')).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Add 1 server' }));
    await waitFor(() =>
      expect(called('server_add')).toMatchObject([
        {
          draft: {
            transport: {
              // The engine fills the answers in.
              url: 'https://${input:region}.example/mcp',
              headers: [{ name: 'Authorization', value: 'Bearer ${input:token}' }],
            },
          },
          inputAnswers: {
            token: { text: 's3cret', isSecret: true },
            region: { text: 'eu', isSecret: false },
          },
        },
      ]),
    );
  });

  it('keeps what was added when a later one fails, and does not add it twice', async () => {
    let fails = true;
    const { dialog, called, user } = await open(
      [file('Cursor', { servers: [hostServer('one'), hostServer('two')] })],
      {
        server_add: ({ draft }) => {
          if (draft.name === 'two' && fails) throw new Error('the disk is full');
          return { serverId: draft.name as ServerId };
        },
      },
    );
    await user.click(await dialog.findByRole('button', { name: 'Add 2 servers' }));
    expect((await dialog.findByRole('alert')).textContent).toContain('the disk is full');
    fails = false;
    await user.click(dialog.getByRole('button', { name: 'Add 1 server' }));
    await waitFor(() =>
      expect(called('server_add').map((each) => (each as { draft: { name: string } }).draft.name)).toEqual([
        'one',
        'two',
        'two',
      ]),
    );
  });

  it('says what could not be read, and where nothing is', async () => {
    const { dialog, user } = await open([file('Cursor', { problems: ['It is not valid JSON: EOF.'] })]);
    expect(await dialog.findByText('It is not valid JSON: EOF.')).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'No servers in 1 other location' }));
    expect(dialog.getByText('/users/me/.config/zed/settings.json')).toBeDefined();
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Add' }).disabled).toBe(true);
  });

  it('leads on where nothing is found, and looks again after a failure', async () => {
    const { dialog } = await open([]);
    expect(await dialog.findByText('No servers found in other hosts')).toBeDefined();
    expect(dialog.getByRole('button', { name: 'Paste a configuration…' })).toBeDefined();
  });

  it('looks again after a failure', async () => {
    let fails = true;
    const { dialog, user } = await open([], {
      host_find: () => {
        if (fails) throw new Error('no home folder');
        return { files: [file('Cursor', { servers: [hostServer('x')] })], absent: [] };
      },
    });
    expect((await dialog.findByRole('alert')).textContent).toContain('no home folder');
    fails = false;
    await user.click(dialog.getByRole('button', { name: 'Scan again' }));
    expect(await dialog.findByText('npx -y x')).toBeDefined();
  });
});
