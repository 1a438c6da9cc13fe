import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ServerDraft, ServerId, ServerItem, VaultState } from '../../contract/generated';
import { CommandFailure } from '../../host/host';
import { emptyHttpForm, httpDraftOf } from '../../model/servers/httpForm';
import { connection, server } from '../../model/servers/servers.fixture';
import { draft, open, press, type } from './ServerDialog.test.fixture';

describe('ServerDialog', () => {
  it('adds what was typed and connects it', async () => {
    const { onClose, called } = await open(null);
    type('Name', 'time');
    type('Command', 'uvx');
    press('Add argument');
    type('Argument 1', 'mcp-server-time');
    press('Add variable');
    type('Name of variable 1', 'TZ');
    type('Value of variable 1', 'UTC');
    press('Save and connect');
    await waitFor(() => expect(called('connection_open')).toEqual([{ serverId: 'new-1' }]));
    expect(onClose).toHaveBeenCalledOnce();
    expect(called('server_add')).toEqual([
      {
        draft: {
          name: 'time',
          transport: {
            type: 'stdio',
            command: 'uvx',
            args: ['mcp-server-time'],
            env: [{ name: 'TZ', value: 'UTC' }],
            cwd: null,
          },
          era: 'auto',
          timeouts: { requestMs: 60_000, maxTotalMs: 600_000, resetOnProgress: true },
        },
      },
    ]);
  });

  it('stores the limits that differ, and says what is out of range', async () => {
    const listPages = {
      name: 'listPages',
      meaning: 'The pages of a list.',
      unit: 'count' as const,
      default: 1000,
      least: 1,
      most: 100_000,
    };
    const { called } = await open(null, { limit_list: () => ({ items: [listPages] }) });
    type('Name', 'small');
    type('Command', 'uvx');
    press('Limits');
    const field = await screen.findByLabelText('listPages');
    expect(field).toHaveProperty('placeholder', '1,000');
    type('listPages', '0');
    expect(screen.getByText('From 1 to 100,000.')).toBeTruthy();
    type('listPages', 'few');
    press('Save and connect');
    expect(called('server_add')).toEqual([]);
    type('listPages', '20');
    press('Save and connect');
    await waitFor(() => expect(called('server_add')).toHaveLength(1));
    const [added] = called('server_add') as { draft: ServerDraft }[];
    expect(added?.draft.limits).toEqual({ listPages: 20 });
  });

  it('stores what is advertised where it differs', async () => {
    const { called } = await open(null);
    type('Name', 'old');
    type('Command', 'x');
    press('Advertised capabilities');
    const box = (name: string): HTMLElement => screen.getByRole('checkbox', { name, hidden: true });
    fireEvent.click(box('Tools (sampling)'));
    fireEvent.click(box('Roots'));
    expect(box('Change notifications (roots)')).toHaveProperty('disabled', true);
    type('Experimental capabilities', '{"x":');
    press('Save');
    expect(screen.getByText(/^Not JSON: /)).toBeDefined();
    type('Experimental capabilities', '{"x":{"n":1.10}}');
    press('Save');
    await waitFor(() => expect(called('server_add')).toHaveLength(1));
    expect(called('server_add')).toMatchObject([
      {
        draft: {
          advertised: {
            sampling: true,
            samplingTools: false,
            roots: false,
            tasks: true,
            experimentalJson: '{"x":{"n":1.10}}',
            extensionsJson: null,
            revision: null,
            anyRevision: false,
          },
        },
      },
    ]);
  });

  it('tells what is missing only when saving is tried', async () => {
    const { called } = await open(null);
    expect(screen.queryByText('Enter a name.')).toBeNull();
    press('Save');
    expect(screen.getByText('Enter a name.')).toBeDefined();
    expect(screen.getByText('Enter a command.')).toBeDefined();
    expect(called('server_add')).toEqual([]);
  });

  it('fills the fields from what was pasted', async () => {
    await open(null, { server_parse: () => ({ drafts: [draft('pasted')], problems: [], secrets: [] }) });
    type('Paste anything', 'pasted --stdio');
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('pasted'));
    expect(screen.getByLabelText<HTMLInputElement>('Argument 1').value).toBe('--stdio');
  });

  it('does not keep what an earlier paste filled in when the next one cannot be read', async () => {
    const drafts = (text: string) => (text === 'good' ? [draft('pasted')] : []);
    await open(null, {
      server_parse: ({ text }) => ({ drafts: drafts(text), problems: ['Nothing.'], secrets: [] }),
    });
    const name = (): string => screen.getByLabelText<HTMLInputElement>('Name').value;
    type('Paste anything', 'good');
    await waitFor(() => expect(name()).toBe('pasted'));
    type('Paste anything', 'bad');
    await waitFor(() => expect(name()).toBe(''));
    type('Paste anything', 'good');
    await waitFor(() => expect(name()).toBe('pasted'));
    type('Name', 'mine');
    type('Paste anything', 'worse');
    await waitFor(() => expect(screen.getByText('Nothing.')).toBeDefined());
    expect(name()).toBe('mine');
  });

  it('offers to split a command line that was typed as the command', async () => {
    const transport = { type: 'stdio' as const, command: 'npx', args: ['-y', 'a'], env: [], cwd: null };
    await open(null, {
      server_parse: () => ({ drafts: [{ ...draft('a'), transport }], problems: [], secrets: [] }),
    });
    type('Command', 'npx -y a');
    press('Split into arguments');
    const value = (label: string): string => screen.getByLabelText<HTMLInputElement>(label).value;
    await waitFor(() => expect(value('Command')).toBe('npx'));
    expect(value('Argument 2')).toBe('a');
    expect(screen.queryByRole('button', { name: 'Split into arguments' })).toBeNull();
  });

  it('tells the folders that the user chose from those that were pasted', async () => {
    const pasted: ServerDraft = {
      ...draft('pasted'),
      roots: { type: 'folders', paths: ['/theirs', '/changed'] },
    };
    const { called } = await open(null, {
      server_parse: () => ({ drafts: [pasted], problems: [], secrets: [] }),
      root_set_list: () => ({ items: [] }),
      folder_check: ({ paths }) => ({
        folders: paths.map((path) => ({
          state: 'ready',
          uri: `file://${path}`,
          repository: null,
          target: null,
        })),
      }),
    });
    type('Paste anything', '{}');
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('pasted'));
    fireEvent.click(screen.getByRole('button', { name: /^Roots/ }));
    type('Folder 2', '/mine');
    expect(await screen.findByText(/sent only after you allow it/)).toBeDefined();
    press('Save');
    await waitFor(() => expect(called('server_add')).toHaveLength(1));
    expect(called('server_add')[0]).toMatchObject({
      draft: { roots: { type: 'folders', paths: ['/theirs', '/mine'] } },
      chosenRoots: ['/mine'],
    });
  });

  it('does not save a folder that is not absolute, and says which', async () => {
    const edited = server('a', connection({}));
    edited.draft.roots = { type: 'folders', paths: ['src'] };
    const { called } = await open(edited, { root_set_list: () => ({ items: [] }) }, [edited]);
    press('Save');
    expect(await screen.findByText('“src” is not an absolute path.')).toBeDefined();
    expect(called('server_update')).toEqual([]);
  });

  it('stays open with the reason when the engine refuses', async () => {
    const { onClose } = await open(null, {
      server_add: () =>
        new CommandFailure({ code: 'invalidParams', message: 'No such folder.', detail: null }),
    });
    type('Name', 'x');
    type('Command', 'x');
    press('Save');
    expect((await screen.findByRole('alert')).textContent).toContain('No such folder.');
    expect(onClose).not.toHaveBeenCalled();
  });

  it('edits a running server and restarts it', async () => {
    const running = server('a', connection({ state: 'ready' }));
    const { called } = await open(running, {}, [running]);
    type('Argument 1', '--other');
    press('Save and restart');
    await waitFor(() => expect(called('connection_restart')).toEqual([{ serverId: 'a' }]));
    expect(called('server_update')).toEqual([
      {
        serverId: 'a',
        draft: { ...running.draft, transport: { ...running.draft.transport, args: ['--other'] } },
      },
    ]);
  });

  it('adds a server at a URL with its headers', async () => {
    const { called } = await open(null);
    type('Name', 'remote');
    fireEvent.click(screen.getByLabelText('URL (HTTP)'));
    type('URL', 'https://mcp.example/mcp');
    fireEvent.click(screen.getByLabelText('HTTP+SSE'));
    expect(screen.getByRole('note').textContent).toContain('Servers should use Streamable HTTP.');
    fireEvent.click(screen.getByLabelText('Streamable HTTP'));
    expect(screen.queryByRole('note')).toBeNull();
    press('Add header');
    type('Name of header 1', 'X-Tenant');
    type('Value of header 1', 'acme');
    press('Mask header 1 as a secret');
    expect(screen.getByLabelText<HTMLInputElement>('Value of header 1').type).toBe('password');
    press('Save');
    await waitFor(() => expect(called('server_add').length).toBe(1));
    expect(called('server_add')).toMatchObject([
      {
        draft: {
          name: 'remote',
          transport: {
            type: 'http',
            url: 'https://mcp.example/mcp',
            kind: 'streamableHttp',
            headers: [{ name: 'X-Tenant', value: 'acme', isSecret: true }],
            proxy: { type: 'app' },
          },
        },
      },
    ]);
  });

  it('takes the transport from what was pasted', async () => {
    const transport = httpDraftOf({ ...emptyHttpForm(), url: 'https://mcp.example/mcp' });
    await open(null, {
      server_parse: () => ({ drafts: [{ ...draft('mcp.example'), transport }], problems: [], secrets: [] }),
    });
    type('Paste anything', 'https://mcp.example/mcp');
    await waitFor(() =>
      expect(screen.getByLabelText<HTMLInputElement>('URL').value).toBe('https://mcp.example/mcp'),
    );
    expect(screen.queryByLabelText('Command')).toBeNull();
  });

  it('keeps everything of a server at a URL that it does not change', async () => {
    const transport = httpDraftOf({
      ...emptyHttpForm(),
      url: 'https://mcp.example/mcp',
      kind: 'sse',
      headers: [{ name: 'Authorization', value: 'Bearer x', isSecret: true }],
      proxy: 'none',
      caFile: '/ca.pem',
      fingerprint: 'ab'.repeat(32),
    });
    const plain = server('a', connection({}));
    const item: ServerItem = {
      ...plain,
      draft: { ...plain.draft, transport, era: 'legacy', healthPingMs: 30_000 },
    };
    const { called } = await open(item, {}, [item]);
    type('Name', 'b');
    press('Save');
    await waitFor(() =>
      expect(called('server_update')).toEqual([{ serverId: 'a', draft: { ...item.draft, name: 'b' } }]),
    );
  });

  it('adds a server with its authorization', async () => {
    const { called } = await open(null);
    type('Name', 'remote');
    fireEvent.click(screen.getByLabelText('URL (HTTP)'));
    type('URL', 'https://mcp.example/mcp');
    press('Authorization');
    fireEvent.click(screen.getByLabelText('Client credentials'));
    press('Save');
    expect(screen.getByText('Enter a client ID.')).toBeDefined();
    type('Client ID', 'me');
    type('Client secret', 'very-secret-value');
    type('Scopes', 'a  b');
    press('Save');
    await waitFor(() => expect(called('server_add').length).toBe(1));
    expect(called('server_add')).toMatchObject([
      {
        draft: {
          authorization: {
            mode: 'clientCredentials',
            clientId: 'me',
            clientSecret: 'very-secret-value',
            scopes: 'a b',
          },
        },
      },
    ]);
  });

  it('sends the reference of a secret back as it came, until the secret is replaced', async () => {
    const reference = `\${vault:${'0a'.repeat(16)}}`;
    const transport = httpDraftOf({
      ...emptyHttpForm(),
      url: 'https://mcp.example/mcp',
      headers: [{ name: 'X-Tenant', value: reference, isSecret: false }],
    });
    const plain = server('a', connection({}));
    const item: ServerItem = { ...plain, draft: { ...plain.draft, transport } };
    const { called } = await open(item, {}, [item]);
    expect(screen.getByRole('group', { name: 'Value of header 1' }).textContent).toContain(
      'Stored in the vault',
    );
    press('Save');
    await waitFor(() => expect(called('server_update')).toMatchObject([{ draft: { transport } }]));
    const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
    await waitFor(() => expect(save.disabled).toBe(false));
    press('Replace Value of header 1');
    type('Value of header 1', 'new');
    press('Save');
    await waitFor(() => expect(called('server_update').length).toBe(2));
    expect(called('server_update')[1]).toMatchObject({
      draft: { transport: { headers: [{ name: 'X-Tenant', value: 'new', isSecret: true }] } },
    });
  });

  describe('with a secret and no open vault', () => {
    async function openLocked() {
      const now: { state: VaultState } = { state: { type: 'locked' } };
      const opened = await open(null, {
        vault_get: () => ({ state: now.state, file: '', count: 0 }),
        secret_find: () => ({ items: [] }),
        server_add: ({ plainSecrets }) =>
          plainSecrets === true || now.state.type === 'ready'
            ? { serverId: 'new' as ServerId }
            : new CommandFailure({ code: 'vaultNeeded', message: 'The vault is locked.', detail: null }),
      });
      type('Name', 'x');
      type('Command', 'x');
      press('Save and connect');
      await screen.findByRole('alert');
      return { ...opened, now };
    }

    it('asks for the vault, and saves as soon as it is open', async () => {
      const { model, called, onClose, now } = await openLocked();
      expect(model.workspace.getState().vaultOpen).toBe(true);
      expect(called('connection_open')).toEqual([]);
      now.state = { type: 'ready', kept: 'memory' };
      await act(() => model.vault.refresh());
      await waitFor(() => expect(called('connection_open')).toEqual([{ serverId: 'new' }]));
      expect(called('server_add').length).toBe(2);
      expect(onClose).toHaveBeenCalledOnce();
    });

    it('saves nothing by itself once the user has dismissed it, and can be asked for again', async () => {
      const { model, called, now } = await openLocked();
      act(() => model.workspace.setState({ vaultOpen: false }));
      press('Open the vault…');
      expect(model.workspace.getState().vaultOpen).toBe(true);
      press('Dismiss');
      now.state = { type: 'ready', kept: 'memory' };
      await act(() => model.vault.refresh());
      expect(called('server_add').length).toBe(1);
    });

    it('leaves secrets readable only when told so', async () => {
      const { called } = await openLocked();
      press('Save with plaintext secrets');
      await waitFor(() => expect(called('server_add').length).toBe(2));
      expect(called('server_add')[0]).not.toHaveProperty('plainSecrets');
      expect(called('server_add')[1]).toMatchObject({ plainSecrets: true });
    });
  });

  it('opens what is folded away when something in it is wrong', async () => {
    const { called } = await open(null);
    type('Name', 'remote');
    fireEvent.click(screen.getByLabelText('URL (HTTP)'));
    type('URL', 'mcp.example');
    press('Save');
    expect(screen.getByText('Must begin with http:// or https://.')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'TLS and proxy' }));
    type('Accepted certificate', 'abc');
    fireEvent.click(screen.getByRole('button', { name: 'TLS and proxy' }));
    expect(screen.getByText('A SHA-256 fingerprint has 64 hexadecimal digits.')).toBeDefined();
    expect(called('server_add')).toEqual([]);
  });

  it('keeps what was entered when the servers change meanwhile', async () => {
    const item = server('a', connection({}));
    const now = { items: [item] };
    const { model, called } = await open(item, { server_list: () => ({ items: now.items }) });
    type('Name', 'half a na');
    press('Lists');
    fireEvent.click(screen.getByLabelText(/^Request the first page/));
    now.items = [server('a', connection({ state: 'ready' })), server('b', connection({}))];
    await act(() => model.servers.refresh());
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('half a na');
    expect(screen.getByLabelText<HTMLInputElement>(/^Request the first page/).checked).toBe(true);
    press('Lists');
    press('Save');
    await waitFor(() =>
      expect(called('server_update')).toMatchObject([
        { draft: { name: 'half a na', listPaging: 'pageByPage' } },
      ]),
    );
  });

  it('is not closed by Escape once something was entered, until that is discarded', async () => {
    const { onClose } = await open(null);
    const escape = (): void => void fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
    type('Name', 'x');
    escape();
    expect(onClose).not.toHaveBeenCalled();
    expect(screen.getByRole('alert').textContent).toBe('Unsaved changes.');
    type('Name', 'xy');
    expect(screen.queryByRole('alert')).toBeNull();
    type('Name', '');
    escape();
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('does not let the demo server be started in another way', async () => {
    await open(server('demo', connection({}), { isDemo: true }));
    expect(screen.getByLabelText<HTMLInputElement>('Command').disabled).toBe(true);
    expect(screen.queryByRole('button', { name: 'Add argument' })).toBeNull();
  });
});
