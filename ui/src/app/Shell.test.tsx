import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type {
  AppInfoResponse,
  AuthorizationGetResponse,
  ConnectionId,
  PlainSecretItem,
  RunId,
  Seq,
  ServerId,
  ServerItem,
  VaultState,
} from '../contract/generated';
import { CommandFailure } from '../host/host';
import { Link } from '../host/link';
import { ScriptedHost, keepsUiState } from '../host/scripted';
import { authorization, run, step } from '../model/authorization/authorization.fixture';
import { createModel } from '../model/workspace/context';
import { emptyHttpForm, httpDraftOf } from '../model/servers/httpForm';
import { connection, details, server } from '../model/servers/servers.fixture';
import { App } from './App';

/** A line of stderr as a program writes it to a terminal. */
const RED_LINE = '\u001B[31mERROR\u001B[0m cannot open';

const INFO: AppInfoResponse = {
  version: '0.0.0',
  platform: 'linux',
  configFile: '',
  storeFile: '',
  logFile: '',
  path: { value: '', source: 'inherited', shell: null, problem: null },
  notices: [],
  logProblem: null,
};

/** The window over a host that knows these servers. */
async function open(items: ServerItem[], answers: ConstructorParameters<typeof ScriptedHost>[0] = {}) {
  const host = new ScriptedHost({
    app_info: () => INFO,
    ...keepsUiState(JSON.stringify({ selectedServer: items[0]?.id ?? null })),
    server_list: () => ({ items }),
    connection_get: ({ serverId }) =>
      details(items.find(({ id }) => id === serverId)?.connection ?? connection({})),
    connection_open: () => ({}),
    ...answers,
  });
  const link = new Link();
  const model = createModel(host, link);
  await Promise.all([model.ui.load(), model.servers.refresh()]);
  render(<App model={model} />);
  return { host, link, model, user: userEvent.setup() };
}

const called = (host: ScriptedHost, name: string): unknown[] =>
  host.calls.filter((call) => call.name === name).map(({ params }) => params);

describe('the window', () => {
  it('says that the log cannot be written as long as it cannot', async () => {
    let logProblem: string | null = null;
    const { host } = await open([], {
      app_info: () => ({ ...INFO, logProblem }),
    });
    const changed = (problem: string | null) => {
      logProblem = problem;
      act(() => host.stream('app_watch').emit({ topic: 'log', serverId: null, revision: 1 }));
    };
    expect(screen.queryByRole('alert')).toBeNull();
    changed('The traffic log cannot be written: the disk is full. Free some space.');
    expect((await screen.findByRole('alert')).textContent).toContain('Free some space');
    changed(null);
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });

  it('shows a notice that comes while it is open, and none again that was dismissed', async () => {
    let notices = ['An old one.'];
    const { host, user } = await open([], { app_info: () => ({ ...INFO, notices }) });
    expect((await screen.findByRole('alert')).textContent).toContain('An old one.');
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    notices = [...notices, 'servers.json was set aside.'];
    act(() => host.stream('app_watch').emit({ topic: 'servers', serverId: null, revision: 1 }));
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('servers.json was set aside.');
    expect(screen.queryByText('An old one.')).toBeNull();
  });

  it('says that settings are not stored as long as the engine refuses them', async () => {
    const tooLarge = 'The UI’s state is larger than 1 MiB.';
    const refusal = new CommandFailure({ code: 'invalidParams', message: tooLarge, detail: null });
    const { host, model, user } = await open([], { ui_state_set: () => refusal });
    const store = (dockTab: string): void => {
      model.ui.setState({ dockTab });
      model.ui.flush();
    };
    store('output');
    expect((await screen.findByRole('alert')).textContent).toContain(tooLarge);
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByRole('alert')).toBeNull();
    host.answers.ui_state_set = () => ({});
    store('traffic');
    host.answers.ui_state_set = () => refusal;
    store('output');
    expect(await screen.findByRole('alert')).toBeDefined();
    host.answers.ui_state_set = () => ({});
    store('traffic');
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });

  it('offers the demo server first, and opens it with one click', async () => {
    const demo = server('demo', connection({ state: 'idle' }), { isDemo: true });
    const items: ServerItem[] = [];
    const { host, model, user } = await open(items, {
      server_add_demo: () => {
        items.push(demo);
        return { serverId: demo.id };
      },
    });
    await user.click(screen.getByRole('button', { name: 'Connect demo' }));
    expect(await screen.findByRole('heading', { name: 'demo is not connected' })).toBeDefined();
    expect(called(host, 'connection_open')).toEqual([{ serverId: demo.id }]);
    expect(model.ui.getState().selectedServer).toBe(demo.id);
  });

  it('reviews what is pasted into the empty field, and adds what is pasted into a text to it', async () => {
    const { model, user } = await open([]);
    const field = screen.getByLabelText<HTMLTextAreaElement>('Command line, URL or JSON');
    act(() => field.focus());
    await user.keyboard('npx -y ');
    await user.paste('a-server');
    expect(model.workspace.getState().dialog).toBeNull();
    expect(field.value).toBe('npx -y a-server');
    await user.clear(field);
    await user.paste('npx -y another');
    expect(model.workspace.getState().dialog).toEqual({ type: 'addServer', pasted: 'npx -y another' });
  });

  it('says why the demo could not be added where it was asked for', async () => {
    const { user } = await open([]);
    await user.click(screen.getByRole('button', { name: 'Connect demo' }));
    const welcome = screen.getByRole('region', { name: 'Welcome' });
    expect((await within(welcome).findByRole('alert')).textContent).toContain(
      'no answer for server_add_demo',
    );
  });

  it('shows all output of a server that failed, whatever was searched for or cleared before', async () => {
    const failed = server('a', connection({ state: 'failed', connectionId: 'c' as ConnectionId }));
    const { model, user } = await open([failed]);
    model.ui.setState(({ output }) => ({ output: { ...output, text: 'old', source: 'messages' } }));
    model.workspace.setState({ logViews: { 'output a': { selected: null, after: '7' as Seq } } });
    await user.click(await screen.findByRole('button', { name: 'Server output' }));
    const output = within(await screen.findByRole('region', { name: 'Server output' }));
    expect(output.getByRole<HTMLInputElement>('textbox', { name: 'Search logs' }).value).toBe('');
    expect(output.getByRole<HTMLInputElement>('radio', { name: 'stderr' }).checked).toBe(true);
    expect(output.queryByText(/Earlier lines are cleared/)).toBeNull();
  });

  it('names step, cause, next action and the last lines of a failure', async () => {
    const words = { step: 'Handshake', cause: 'It exited.', next: 'Correct it.' };
    const detail = `${RED_LINE}\nTried before: 2026-07-28: it ended`;
    const failure = { ...words, detail, httpStatus: null, certificate: null, seq: null };
    const { host, user } = await open([server('gh', connection({ state: 'failed', failure }))], {
      connection_get: () => ({
        ...details(connection({ state: 'failed', failure })),
        stderrTail: [RED_LINE, 'npm error 404'],
      }),
    });
    const alert = await screen.findByRole('alert');
    for (const text of Object.values(words)) expect(alert.textContent).toContain(text);
    // The colours of a terminal, and none of its escape sequences; nothing of stderr is said twice.
    const lines = await screen.findByText('ERROR');
    expect(lines.dataset['colour']).toBe('red');
    expect(lines.parentElement?.textContent).toBe('ERROR cannot open\nnpm error 404');
    expect(screen.getAllByText(/cannot open/)).toHaveLength(1);
    // What was tried is below the buttons, which stay in view.
    const reconnect = screen.getByRole('button', { name: 'Reconnect' });
    const tried = screen.getByText('Tried before: 2026-07-28: it ended');
    expect(reconnect.compareDocumentPosition(tried)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    await user.click(reconnect);
    expect(called(host, 'connection_open')).toEqual([{ serverId: 'gh' }]);
  });

  it('names what a server that does not answer wrote instead, and how long it may be silent', async () => {
    const silent = server('mute', connection({ state: 'negotiating', sinceAtMs: Date.now() - 1400 }));
    const chatting = server('chatter', connection({ state: 'negotiating', sinceAtMs: Date.now() }));
    const { model } = await open([silent, chatting], {
      connection_get: ({ serverId }) => ({
        ...details(serverId === 'mute' ? silent.connection : chatting.connection),
        strayLine: serverId === 'mute' ? null : 'Server starting up...',
      }),
    });
    expect(await screen.findByText(/None yet. The connection attempt times out after 60 s/)).toBeDefined();
    act(() => model.ui.setState({ selectedServer: chatting.id }));
    const words = /not JSON-RPC: “Server starting up...”. Log to stderr instead/;
    expect(await screen.findByText(words)).toBeDefined();
    expect(screen.queryByText(/None yet/)).toBeNull();
  });

  it('shows the error of a command beside its server until it is dismissed', async () => {
    const { user } = await open([server('a', connection({ state: 'idle' }))], {
      connection_open: () => {
        throw new Error('the engine is tired');
      },
    });
    await user.click(screen.getByRole('button', { name: 'Connect' }));
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('the engine is tired');
    await user.click(within(alert).getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('moves through the servers with the keyboard and connects with Enter', async () => {
    const idle = connection({ state: 'idle' });
    const { host, model, user } = await open([server('a', idle), server('b', idle), server('c', idle)]);
    const list = screen.getByRole('tree', { name: 'Servers' });
    act(() => list.focus());
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
    expect(model.ui.getState().selectedServer).toBe('c');
    await user.keyboard('{Home}{Enter}');
    expect(called(host, 'connection_open')).toEqual([{ serverId: 'a' }]);
    await user.keyboard('{Control>}2{/Control}');
    expect(model.ui.getState().selectedServer).toBe('b');
  });

  it.each([
    ['first', 'a', ['Move down']],
    ['middle', 'b', ['Move up', 'Move down']],
    ['last', 'c', ['Move up']],
  ])('offers to move the %s server only to where there is a place', async (_, name, places) => {
    const idle = connection({ state: 'idle' });
    const { model, user } = await open([server('a', idle), server('b', idle), server('c', idle)]);
    act(() => model.ui.setState({ selectedServer: name as ServerId }));
    const list = screen.getByRole('tree', { name: 'Servers' });
    act(() => list.focus());
    await user.keyboard('{Shift>}{F10}{/Shift}');
    await screen.findByText('Move up');
    const usable = ['Move up', 'Move down'].filter(
      (label) => screen.getByText(label).closest('button')?.disabled === false,
    );
    expect(usable).toEqual(places);
  });

  it('opens the shortcuts with ? and closes them with Escape, but not from a field', async () => {
    const { user } = await open([]);
    const field = screen.getByLabelText('Command line, URL or JSON');
    // Focused, not clicked: without a layout every click lands on a handle between panes.
    act(() => field.focus());
    await user.keyboard('?');
    expect(screen.queryByRole('dialog')).toBeNull();
    act(() => field.blur());
    const button = screen.getByRole('button', { name: 'Theme' });
    act(() => button.focus());
    await user.keyboard('?');
    const dialog = await screen.findByRole('dialog', { name: 'Shortcuts' });
    expect(dialog.textContent).toContain('Show or hide the dock');
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(button));
  });

  it('shows the problems of a server from their count, and its dialogs and buttons have names', async () => {
    const { model, user } = await open([server('a', connection({ state: 'ready' }))]);
    const connectionId = '1' as ConnectionId;
    const problem = { weight: 'error', rule: 'not-json', message: '', seq: '1' as Seq, count: 1 } as const;
    act(() => {
      model.ui.setState({ dockOpen: false });
      model.problems.setState({
        byServer: {
          ['a' as ServerId]: { connectionId, problems: [problem, problem], reading: false, unread: 0 },
        },
      });
    });
    await user.click(
      within(screen.getByRole('tree', { name: 'Servers' })).getByRole('button', { name: /2/ }),
    );
    expect(model.ui.getState()).toMatchObject({
      dockOpen: true,
      dockTab: 'problems',
      problems: { oneServer: true, hidden: [] },
    });
    expect(screen.getByRole('button', { name: 'Theme' }).getAttribute('aria-expanded')).toBe('false');
    await user.keyboard('{Control>}k{/Control}');
    expect(await screen.findByRole('dialog', { name: 'Commands' })).toBeDefined();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('shows the dock with the first connection, unless the user opened or closed it before', async () => {
    const shown = () => screen.queryByRole('button', { name: 'Hide the dock' }) !== null;
    const connected = server('a', connection({ state: 'negotiating' }));
    const { model, user } = await open([]);
    expect(shown()).toBe(false);
    // A server that is only added records nothing.
    act(() => model.servers.setState({ items: [server('a', connection({}))] }));
    expect(shown()).toBe(false);
    act(() => model.servers.setState({ items: [connected] }));
    expect(shown()).toBe(true);
    // From now on it is the user's.
    await user.click(screen.getByRole('button', { name: 'Hide the dock' }));
    act(() => model.servers.setState({ items: [] }));
    act(() => model.servers.setState({ items: [connected] }));
    expect(shown()).toBe(false);
  });

  it('keeps the dock that the user opened on the first screen, and the one that was open before', async () => {
    const { model, user } = await open([]);
    await user.click(screen.getByRole('button', { name: 'Show the dock' }));
    expect(model.ui.getState()).toMatchObject({ dockOpen: true, dockWaits: false });
    cleanup();
    const later = await open([server('a', connection({}))]);
    expect(later.model.ui.getState()).toMatchObject({ dockOpen: true, dockWaits: false });
  });

  it('pulls again what an event names', async () => {
    const items = [server('a', connection({ state: 'idle' }))];
    const { host } = await open(items);
    items[0] = server('a', connection({ state: 'connecting' }));
    act(() => host.stream('app_watch').emit({ topic: 'connection', serverId: items[0]!.id, revision: 2 }));
    expect(await screen.findByRole('heading', { name: 'Connecting to a' })).toBeDefined();
  });

  it('shows that the engine is lost, and watches again when it is back', async () => {
    const { host, link } = await open([]);
    act(() => link.set('lost', 'The reader died.'));
    expect(screen.getByRole('alert').textContent).toContain('Connection to Patchbay lost');
    expect(screen.getByRole('alert').textContent).toContain('The reader died.');
    const before = host.streams('app_watch').length;
    act(() => link.set('up'));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(host.streams('app_watch').length).toBe(before + 1);
  });

  it('is only a note when the page was not opened by its link', async () => {
    const { link } = await open([]);
    act(() => link.set('refused'));
    expect(screen.getByText('This page was not opened with its link')).toBeDefined();
    expect(screen.queryByRole('navigation')).toBeNull();
  });
});

/** A server at an address, in this state. */
function remote(
  name: string,
  state: ServerItem['connection']['state'],
  httpStatus: number | null = null,
): ServerItem {
  const words = { step: 'Connect', cause: 'It wants a token.', next: 'Authorize.', detail: null };
  const failure = state === 'failed' ? { ...words, httpStatus, certificate: null, seq: null } : null;
  const plain = server(name, connection({ state, failure }));
  const transport = httpDraftOf({ ...emptyHttpForm(), url: 'https://mcp.example/mcp' });
  return { ...plain, draft: { ...plain.draft, transport } };
}

describe('authorization in the window', () => {
  const asking = (id: string, part: Parameters<typeof run>[1] = {}): AuthorizationGetResponse =>
    authorization({
      run: run([step('challenge'), step('authorization', { state: 'waiting' })], {
        id: id as RunId,
        state: 'waiting',
        question: { type: 'callback' },
        startedAtMs: Date.now(),
        ...part,
      }),
    });

  async function openWith(items: ServerItem[]) {
    const known: Record<string, AuthorizationGetResponse> = {};
    const opened = await open(items, {
      authorization_get: ({ serverId }) => known[serverId] ?? authorization(),
      input_list: () => ({ items: [], withdrawn: [], answered: [] }),
    });
    const say = (name: string, next: AuthorizationGetResponse): void => {
      known[name] = next;
      const serverId = name as ServerId;
      act(() => opened.host.stream('app_watch').emit({ topic: 'authorization', serverId, revision: 1 }));
    };
    const mode = (): string => opened.model.ui.getState().modes[items[0]?.id ?? ''] ?? 'explore';
    return { ...opened, say, mode };
  }

  it('opens by itself on a 401 of the selected server; the inbox says so', async () => {
    const { say, mode } = await openWith([remote('a', 'authorizing')]);
    expect(mode()).toBe('explore');
    say('a', asking('run-1'));
    expect(await screen.findByRole('region', { name: 'In the browser' })).toBeDefined();
    expect(mode()).toBe('authorization');
    const line = screen.getByRole('button', { name: 'a needs authorization: Sign in using the browser' });
    expect(within(line).getByText('Sign in using the browser')).toBeDefined();
    expect(screen.getByTestId('inbox-count').textContent).toBe('1');
  });

  it('opens once a run: who goes back to Explore stays there', async () => {
    const { say, user, mode } = await openWith([remote('a', 'authorizing')]);
    say('a', asking('run-1'));
    await waitFor(() => expect(mode()).toBe('authorization'));
    await user.keyboard('{Control>}e{/Control}');
    expect(mode()).toBe('explore');
    say('a', asking('run-1', { redirectUri: 'http://localhost:1/callback' }));
    await screen.findByTestId('inbox-count');
    expect(mode()).toBe('explore');
    await user.keyboard('{Control>}i{/Control}');
    expect(mode()).toBe('authorization');
  });

  it('does not open over a conversation; the inbox says so', async () => {
    const { say, model, mode } = await openWith([remote('a', 'ready')]);
    act(() => model.ui.setState({ modes: { a: 'chat' } }));
    say('a', asking('run-1'));
    await screen.findByTestId('inbox-count');
    expect(mode()).toBe('chat');
  });

  it('does not open over a dialog, for another server, or for what the user began', async () => {
    const { say, model, mode } = await openWith([remote('a', 'authorizing'), remote('b', 'authorizing')]);
    act(() => model.workspace.setState({ dialog: { type: 'shortcuts' } }));
    say('a', asking('run-1'));
    say('b', asking('run-2'));
    await waitFor(() => expect(screen.getByTestId('inbox-count').textContent).toBe('2'));
    expect(mode()).toBe('explore');
    act(() => model.workspace.setState({ dialog: null }));
    await waitFor(() => expect(mode()).toBe('authorization'));
    expect(model.ui.getState().modes).toEqual({ a: 'authorization' });
  });

  it('stays where a user works when a token is renewed by itself', async () => {
    const { say, model, mode } = await openWith([remote('a', 'ready')]);
    const latest = (): string | undefined =>
      model.authorizations.getState()['a' as ServerId]?.data?.run?.steps.at(-1)?.step;
    say('a', authorization({ run: run([step('refresh')], { cause: 'refresh', startedAtMs: Date.now() }) }));
    await waitFor(() => expect(latest()).toBe('refresh'));
    expect(mode()).toBe('explore');
    say('a', authorization({ run: run([step('challenge')], { startedAtMs: Date.now() }) }));
    await waitFor(() => expect(latest()).toBe('token'));
    expect(mode()).toBe('explore');
  });

  it('marks a server that refused us, and leads from there to its authorization', async () => {
    const { user, mode } = await openWith([remote('a', 'failed', 401)]);
    expect(screen.getByText('401')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Show authorization' }));
    expect(mode()).toBe('authorization');
    expect(await screen.findByText('Not authorized yet')).toBeDefined();
  });
});

describe('secrets in the window', () => {
  async function openWith(state: VaultState, items: PlainSecretItem[] = []) {
    return open([server('a', connection({ state: 'idle' }))], {
      vault_get: () => ({ state, file: '/vault', count: 0 }),
      secret_find: () => ({ items }),
    });
  }

  it('asks for a locked vault by itself, once, and says so after that', async () => {
    const { user } = await openWith({ type: 'locked' });
    expect(await screen.findByRole('dialog', { name: 'Unlock the vault' })).toBeDefined();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Unlock…' }));
    expect(await screen.findByRole('dialog', { name: 'Unlock the vault' })).toBeDefined();
  });

  it('closes only the upper of two dialogs with Escape; shortcuts move nothing behind them', async () => {
    const { model, user } = await openWith({ type: 'ready', kept: 'memory' });
    act(() => model.workspace.setState({ dialog: { type: 'addServer', pasted: '' } }));
    await screen.findByRole('dialog', { name: 'Add a server' });
    act(() => model.workspace.setState({ vaultOpen: true }));
    await screen.findByRole('dialog', { name: 'Vault' });
    await user.keyboard('{Control>}k{/Control}{Control>}j{/Control}');
    expect(screen.queryByLabelText('Command palette')).toBeNull();
    expect(model.ui.getState().dockOpen).toBe(true);
    await user.keyboard('{Escape}');
    expect(model.workspace.getState()).toMatchObject({ vaultOpen: false, dialog: { type: 'addServer' } });
    await user.keyboard('{Escape}');
    expect(model.workspace.getState().dialog).toBeNull();
  });

  it('warns of plaintext secrets until the user dismisses the warning', async () => {
    const secret: PlainSecretItem = {
      serverId: 'a' as ServerId,
      serverName: 'a',
      place: 'env',
      name: 'API_KEY',
    };
    const { model, user } = await openWith({ type: 'unopened' }, [secret]);
    expect(await screen.findByText('1 secret of a stored as plaintext in servers.json.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Move to the vault…' }));
    expect(await screen.findByRole('dialog', { name: 'Plaintext secrets in the settings' })).toBeDefined();
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Keep as plaintext' }));
    expect(screen.queryByText('1 secret of a stored as plaintext in servers.json.')).toBeNull();
    expect(model.ui.getState().plainSecretsLeft).toEqual(['a env API_KEY']);
  });
});
