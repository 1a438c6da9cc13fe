// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type {
  EnvironmentReadResponse,
  EnvironmentSettings,
  FolderFacts,
  ServerId,
} from '../../../contract/generated';
import { CommandFailure } from '../../../host/host';
import { type Answers, ScriptedHost } from '../../../host/scripted';
import { connection, server } from '../../../model/servers/servers.fixture';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { Environment } from './Environment';

const DEFAULT: EnvironmentSettings = { shell: 'automatic', program: '', pathBefore: [], pathAfter: [] };

const READ: EnvironmentReadResponse = {
  source: 'inherited',
  shell: null,
  problem: null,
  atMs: 0,
  tookMs: 1,
  variables: 40,
  home: '/u/me',
  path: [
    { folder: '/usr/bin', from: 'environment' },
    { folder: '', from: 'environment' },
    { folder: '/gone', from: 'environment' },
    { folder: '/usr/bin', from: 'environment' },
  ],
  more: 0,
  outdated: [],
};

function facts(path: string): FolderFacts {
  const state = path.startsWith('/gone') ? 'missing' : path.startsWith('/') ? 'ready' : 'notAbsolute';
  return { state, uri: null, repository: null, target: null };
}

async function open(first: Partial<EnvironmentSettings>, read: EnvironmentReadResponse, more: Answers = {}) {
  let settings = { ...DEFAULT, ...first };
  const host = new ScriptedHost({
    environment_get: () => ({ settings, canRunShell: true, limitS: 10, file: '/c/environment.json' }),
    environment_set: (params) => {
      ({ settings } = params);
      return {};
    },
    environment_read: () => read,
    folder_check: ({ paths }) => ({ folders: paths.map(facts) }),
    server_list: () => ({ items: [server('notes', connection({}))] }),
    connection_restart: () => ({}),
    ...more,
  });
  const model = createModel(host);
  await model.servers.refresh();
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <Environment />
      </ModelProvider>
    </MantineProvider>,
  );
  const calls = (name: string) => host.calls.filter((call) => call.name === name).map(({ params }) => params);
  return { calls };
}

function write(field: HTMLElement, value: string): void {
  fireEvent.change(field, { target: { value } });
}

describe('shell and PATH', () => {
  it('shows the folders of PATH with what is wrong with each', async () => {
    await open({}, READ);
    const list = within(await screen.findByRole('list', { name: 'Folders of PATH' }));
    await waitFor(() => expect(list.getByText('Does not exist')).toBeDefined());
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      '/usr/bin',
      'Working directory of the program',
      '/goneDoes not exist',
      '/usr/binDuplicate',
    ]);
    expect(screen.getByText('4 folders, 1 not usable')).toBeDefined();
    expect(screen.getByText('40 variables, inherited from the process that started Patchbay.')).toBeDefined();
    // There is nothing to read again, and nothing to reset.
    expect(screen.queryByRole('button', { name: 'Read again' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Reset to default' })).toBeNull();
  });

  it('saves a mode at once, without the folders that are being typed', async () => {
    const { calls } = await open({}, READ);
    const before = within(await screen.findByRole('group', { name: 'Folders before PATH' }));
    fireEvent.click(before.getByRole('button', { name: 'Add folder' }));
    write(before.getByRole('textbox'), 'half');
    fireEvent.click(screen.getByRole('radio', { name: 'None' }));
    await waitFor(() => expect(calls('environment_set')).toHaveLength(1));
    expect(calls('environment_set')[0]).toEqual({ settings: { ...DEFAULT, shell: 'none' } });
    expect(before.getByRole<HTMLInputElement>('textbox').value).toBe('half');
  });

  it('saves another shell once it is named, with the folders', async () => {
    const { calls } = await open({}, READ);
    const before = within(await screen.findByRole('group', { name: 'Folders before PATH' }));
    fireEvent.click(screen.getByRole('radio', { name: 'Other shell' }));
    expect(calls('environment_set')).toEqual([]);
    write(screen.getByRole('textbox', { name: 'Other shell' }), '/bin/fish');
    fireEvent.click(before.getByRole('button', { name: 'Add folder' }));
    write(before.getByRole('textbox'), '~/gone');
    // The home folder is known, so it can be looked at.
    await waitFor(() => expect(calls('folder_check')).toContainEqual({ paths: ['/u/me/gone'] }));
    fireEvent.click(screen.getByRole('button', { name: 'Save shell and PATH' }));
    const settings = { shell: 'program', program: '/bin/fish', pathBefore: ['~/gone'], pathAfter: [] };
    await waitFor(() => expect(calls('environment_set')).toEqual([{ settings }]));
    const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save shell and PATH' });
    await waitFor(() => expect(save.disabled).toBe(true));
  });

  it('names what failed with the next action, and reads again', async () => {
    const problem = {
      step: 'Read the environment of the shell',
      cause: '/bin/zsh did not print its variables within 10 s.',
      next: 'Choose another shell.',
      detail: 'rc: line 3',
      httpStatus: null,
      certificate: null,
      seq: null,
    };
    const { calls } = await open({ shell: 'login' }, { ...READ, shell: '/bin/zsh', problem });
    const alert = await screen.findByRole('alert');
    for (const part of Object.values(problem)) {
      if (part !== null) expect(alert.textContent).toContain(part);
    }
    expect(alert.textContent).toContain('that Patchbay was started with');
    fireEvent.click(screen.getByRole('button', { name: 'Read again' }));
    await waitFor(() => expect(calls('environment_read')).toContainEqual({ again: true }));
    expect(await screen.findByRole('alert')).toBeDefined();
  });

  it('keeps what is typed when it is refused, and resets to the default', async () => {
    const refusal = new CommandFailure({ code: 'invalidParams', message: 'Not absolute.', detail: null });
    const { calls } = await open({ pathAfter: ['/opt/bin'] }, READ, {
      environment_set: ({ settings }) => (settings.pathAfter.includes('opt') ? refusal : {}),
    });
    const field = await screen.findByLabelText<HTMLInputElement>('Folders after PATH: folder 1');
    write(field, 'opt');
    fireEvent.click(screen.getByRole('button', { name: 'Save shell and PATH' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Not absolute.');
    expect(field.value).toBe('opt');
    fireEvent.click(screen.getByRole('button', { name: 'Reset to default' }));
    await waitFor(() => expect(calls('environment_set')).toContainEqual({ settings: DEFAULT }));
  });

  it('names the running servers with another environment, and restarts them', async () => {
    let outdated = ['notes' as ServerId];
    const { calls } = await open({}, READ, {
      environment_read: () => ({ ...READ, outdated }),
      connection_restart: () => {
        outdated = [];
        return {};
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Restart notes' }));
    expect(calls('connection_restart')).toEqual([{ serverId: 'notes' }]);
    await waitFor(() => expect(screen.queryByRole('group', { name: 'Restart needed' })).toBeNull());
  });

  it('shows what was asked for last, whatever is read last', async () => {
    const waiting: ((response: EnvironmentReadResponse) => void)[] = [];
    await open({}, READ, {
      environment_read: () => new Promise((resolve) => void waiting.push(resolve)),
    });
    await waitFor(() => expect(waiting).toHaveLength(1));
    fireEvent.click(screen.getByRole('radio', { name: 'None' }));
    await waitFor(() => expect(waiting).toHaveLength(2));
    waiting[1]?.({ ...READ, variables: 2 });
    expect(await screen.findByText(/^2 variables/)).toBeDefined();
    waiting[0]?.({ ...READ, variables: 1 });
    await Promise.resolve();
    expect(screen.getByText(/^2 variables/)).toBeDefined();
  });

  it('says what cannot be read, and offers nothing then', async () => {
    await open({}, READ, {
      environment_get: () => {
        throw new Error('environment.json cannot be read');
      },
    });
    expect((await screen.findByRole('alert')).textContent).toContain('environment.json cannot be read');
    expect(screen.queryByRole('radio')).toBeNull();
  });
});
