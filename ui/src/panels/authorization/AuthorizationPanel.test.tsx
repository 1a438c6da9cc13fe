import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { AuthorizationGetResponse, RunId, ServerId, ServerItem } from '../../contract/generated';
import { CommandFailure } from '../../host/host';
import { ScriptedHost } from '../../host/scripted';
import {
  AT,
  attempt,
  authorization,
  failed,
  run,
  step,
  token,
} from '../../model/authorization/authorization.fixture';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { emptyHttpForm, httpDraftOf } from '../../model/servers/httpForm';
import { connection, server } from '../../model/servers/servers.fixture';
import { AuthorizationPanel } from './AuthorizationPanel';

const ADDRESS = 'https://auth.example/authorize?state=abc&code_challenge=xyz';

function serverAt(url: string, part: Partial<ServerItem> = {}): ServerItem {
  const plain = server('s', connection({ state: 'ready' }));
  const transport = httpDraftOf({ ...emptyHttpForm(), url });
  return { ...plain, draft: { ...plain.draft, transport }, ...part };
}

/** The panel over a host with this authorization of its one server. */
async function open(
  known: AuthorizationGetResponse | CommandFailure,
  answers: ConstructorParameters<typeof ScriptedHost>[0] = {},
  item: ServerItem = serverAt('https://mcp.example/mcp'),
) {
  const now = { known };
  const host = new ScriptedHost({
    server_list: () => ({ items: [item] }),
    authorization_get: ({ runId }) =>
      runId === null || now.known instanceof CommandFailure
        ? now.known
        : authorization({
            run: run([step('token', { summary: 'The earlier one.' })], { id: runId, state: 'done' }),
          }),
    authorization_start: () => ({ runId: 'run-2' as RunId }),
    authorization_answer: () => ({}),
    authorization_cancel: () => ({}),
    authorization_refresh: () => ({}),
    authorization_expire: () => ({}),
    authorization_forget: () => ({}),
    link_open: () => ({}),
    ...answers,
  });
  const model = createModel(host);
  await model.servers.refresh();
  const user = userEvent.setup();
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <AuthorizationPanel serverId={item.id} lead={<span>lead</span>} />
      </ModelProvider>
    </MantineProvider>,
  );
  await waitFor(() => expect(screen.queryByText('Loading…')).toBeNull());
  const called = (name: string): unknown[] =>
    host.calls.filter((call) => call.name === name).map(({ params }) => params);
  const say = (next: AuthorizationGetResponse): void => {
    now.known = next;
    act(() =>
      host.stream('app_watch').emit({ topic: 'authorization', serverId: 's' as ServerId, revision: 1 }),
    );
  };
  return { host, model, user, called, say };
}

const waiting = (question: NonNullable<AuthorizationGetResponse['run']>['question']) =>
  authorization({
    run: run(
      [
        step('challenge'),
        step(question?.type === 'callback' ? 'authorization' : 'registration', { state: 'waiting' }),
      ],
      {
        state: 'waiting',
        question,
        authorizationUrl: question?.type === 'callback' ? ADDRESS : null,
        redirectUri: 'http://localhost:5/callback',
      },
    ),
  });

const done = authorization({
  token: token({ expiresAtMs: Date.now() + 3_590_000 }),
  client: {
    issuer: 'https://auth.example',
    clientId: 'dcr-1',
    origin: 'dynamic',
    isConfidential: false,
    redirectUri: null,
  },
  run: run([step('challenge'), step('token', { facts: [{ name: 'expires_in', value: '3600' }] })], {
    state: 'done',
    endedAtMs: AT,
  }),
});

describe('the authorization panel', () => {
  it('offers to begin where nothing has run, and begins', async () => {
    const { called, user } = await open(authorization());
    expect(await screen.findByText('The server has not required authorization')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Authorize' }));
    await waitFor(() =>
      expect(called('authorization_start')).toEqual([{ serverId: 's', from: null, scopes: null }]),
    );
  });

  it('drops the error of a command that is read again, and says what is wrong now', async () => {
    const refused = (message: string) => new CommandFailure({ code: 'serverError', message, detail: null });
    const { host, user } = await open(authorization(), { authorization_start: () => refused('no way') });
    await user.click(await screen.findByRole('button', { name: 'Authorize' }));
    expect((await screen.findByRole('alert')).textContent).toContain('no way');
    const get = host.answers.authorization_get!;
    host.answers.authorization_get = () => refused('gone');
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('gone'));
    host.answers.authorization_get = get;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });

  it('keeps the focus on Try again while it fails', async () => {
    let count = 0;
    const { user } = await open(authorization(), {
      authorization_get: () =>
        new CommandFailure({ code: 'serverError', message: `failure ${++count}`, detail: null }),
    });
    const retry = await screen.findByRole('button', { name: 'Try again' });
    act(() => retry.focus());
    const before = screen.getByRole('alert').textContent;
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.getByRole('alert').textContent).not.toBe(before));
    expect(document.activeElement).toBe(retry);
  });

  it('says where authorization is off', async () => {
    const item = serverAt('https://mcp.example/mcp');
    await open(authorization(), {}, { ...item, draft: { ...item.draft, authorization: { mode: 'off' } } });
    expect(await screen.findByText('Authorization is off')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Authorize' })).toBeNull();
  });

  it('says why it could not be asked', async () => {
    await open(new CommandFailure({ code: 'internal', message: 'The engine is tired.', detail: null }));
    expect((await screen.findByRole('alert')).textContent).toContain('The engine is tired.');
  });

  it('names the failure: step, cause, rule, what to do, and its exchange', async () => {
    const { model, called, user } = await open(failed);
    const detail = await screen.findByRole('region', { name: 'Server metadata' });
    expect(screen.getByTestId('authorization-status').textContent).toContain('Failed at: Server metadata');
    const alert = within(detail).getByRole('alert');
    expect(alert.textContent).toContain('Its issuer is https://evil.example.');
    expect(alert.textContent).toContain('The authorization server must publish its own issuer.');
    await user.click(within(alert).getByRole('link', { name: 'RFC 8414 section 3.3' }));
    expect(called('link_open')).toEqual([{ url: 'https://www.rfc-editor.org/rfc/rfc8414#section-3.3' }]);
    await user.click(within(detail).getByRole('button', { name: /The issuer is another/ }));
    expect(model.workspace.getState().revealRequest?.seq).toBe('14');
    await user.click(within(detail).getByRole('button', { name: 'Retry from here' }));
    await waitFor(() =>
      expect(called('authorization_start')).toEqual([
        { serverId: 's', from: 'serverMetadata', scopes: null },
      ]),
    );
  });

  it('moves through the steps with the keyboard, and goes along with the run otherwise', async () => {
    const { user, say } = await open(failed);
    const steps = await screen.findByRole('listbox', { name: 'Steps' });
    act(() => steps.focus());
    await user.keyboard('{Home}');
    expect(screen.getByRole('region', { name: 'Challenge' })).toBeDefined();
    await user.keyboard('{ArrowDown}{ArrowDown}');
    expect(screen.getByRole('region', { name: 'Server metadata' })).toBeDefined();
    await user.keyboard('{Enter}');
    expect(document.activeElement?.textContent).toBe('Retry from here');
    say(done);
    expect(await screen.findByRole('region', { name: 'Token' })).toBeDefined();
  });

  it('draws every exchange between the four who take part; each leads to its record', async () => {
    const { model, user } = await open(failed);
    const part = await screen.findByRole('region', { name: 'Sequence' });
    const arrow = within(part).getByRole('button', {
      name: 'Authorization server to Patchbay: 200 The issuer is another.',
    });
    await user.click(arrow);
    expect(model.workspace.getState().revealRequest?.seq).toBe('14');
    await user.click(within(part).getByRole('button', { name: 'Challenge' }));
    expect(screen.getByRole('option', { name: /^Challenge/ }).getAttribute('aria-selected')).toBe('true');
  });

  it('asks before it opens a browser at a host that the server names for the first time', async () => {
    const view = waiting({ type: 'callback' });
    if (view.run !== null) {
      view.run = { ...view.run, awaitsOpen: true, authorizationUrl: `${ADDRESS}&scope=mail%20admin` };
    }
    const { called, user } = await open(view);
    expect(await screen.findByText(new RegExp(`^Sign in at ${new URL(ADDRESS).host}\\?`))).toBeTruthy();
    expect(screen.getByText(/Scopes: mail, admin\./)).toBeTruthy();
    expect(called('link_open')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Open in browser' }));
    expect(called('link_open')).toHaveLength(1);
    expect(screen.getByText('Continue in the browser')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Open again' })).toBeTruthy();
  });

  it('shows the full URL while it waits for the browser, opens it again, and takes what is pasted', async () => {
    const { called, user } = await open(waiting({ type: 'callback' }));
    expect((await screen.findByLabelText('Authorization URL')).textContent).toBe(ADDRESS);
    await user.click(screen.getByRole('button', { name: 'Open again' }));
    expect(called('link_open')).toEqual([{ url: ADDRESS }]);
    const field = screen.getByLabelText('Browser on another machine?');
    fireEvent.change(field, { target: { value: ' http://localhost:5/callback?code=c&state=abc ' } });
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    await waitFor(() =>
      expect(called('authorization_answer')).toEqual([
        {
          serverId: 's',
          runId: 'run-1',
          answer: { type: 'callback', text: 'http://localhost:5/callback?code=c&state=abc' },
        },
      ]),
    );
    expect((field as HTMLInputElement).value).toBe('');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(called('authorization_cancel')).toEqual([{ serverId: 's' }]));
  });

  it('asks which authorization server', async () => {
    const { called, user } = await open(
      waiting({ type: 'chooseServer', issuers: ['https://a.example', 'https://b.example'] }),
    );
    await user.click(await screen.findByLabelText('https://b.example'));
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await waitFor(() =>
      expect(called('authorization_answer')).toMatchObject([
        { answer: { type: 'chooseServer', issuer: 'https://b.example' } },
      ]),
    );
  });

  it('asks for the client, and keeps its secret nowhere', async () => {
    const { model, called, user } = await open(
      waiting({ type: 'client', issuer: 'https://auth.example', redirectUri: 'http://localhost:5/callback' }),
    );
    expect((await screen.findByLabelText('Redirect URI')).textContent).toBe('http://localhost:5/callback');
    fireEvent.change(screen.getByLabelText('Client ID'), { target: { value: ' me ' } });
    const secret = screen.getByLabelText<HTMLInputElement>('Client secret');
    expect(secret.type).toBe('password');
    fireEvent.change(secret, { target: { value: 'very-secret-value' } });
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await waitFor(() =>
      expect(called('authorization_answer')).toMatchObject([
        { answer: { type: 'client', id: 'me', secret: 'very-secret-value' } },
      ]),
    );
    expect(secret.value).toBe('');
    const { ui, workspace, authorizations } = model;
    for (const store of [ui, workspace, authorizations]) {
      expect(JSON.stringify(store.getState())).not.toContain('very-secret-value');
    }
  });

  it('asks before it goes to a private address', async () => {
    const { called, user } = await open(
      waiting({ type: 'privateAddress', url: 'http://10.0.0.7/as', why: 'It is in your network.' }),
    );
    const question = await screen.findByRole('region', { name: 'Private address' });
    expect(question.textContent).toContain('http://10.0.0.7/as');
    expect(question.textContent).toContain('It is in your network.');
    await user.click(within(question).getByRole('button', { name: 'Cancel' }));
    const allow = within(question).getByRole<HTMLButtonElement>('button', { name: 'Allow once' });
    // One answer at a time.
    await waitFor(() => expect(allow.disabled).toBe(false));
    await user.click(allow);
    await waitFor(() =>
      expect(called('authorization_answer')).toMatchObject([
        { answer: { type: 'privateAddress', url: 'http://10.0.0.7/as', allow: false } },
        { answer: { type: 'privateAddress', url: 'http://10.0.0.7/as', allow: true } },
      ]),
    );
  });

  it('shows the token masked, with its claims, and what can be done with it', async () => {
    const { called, user } = await open(done);
    expect((await screen.findByTestId('authorization-status')).textContent).toMatch(/^Authorizedfor /);
    await user.click(screen.getByLabelText('Token', { selector: 'input' }));
    const card = screen.getByRole('region', { name: 'Access token' });
    for (const text of ['••••Qx4w', 'https://auth.example', 'https://mcp.example/mcp', 'in 59 min']) {
      expect(card.textContent).toContain(text);
    }
    const jwt = screen.getByRole('region', { name: 'Token contents' });
    expect(jwt.textContent).toContain('"sub": "ada"');
    await user.click(within(jwt).getByLabelText('Header'));
    expect(jwt.textContent).toContain('"typ": "at+jwt"');
    const client = screen.getByRole('region', { name: 'Client' });
    expect(client.textContent).toContain('dcr-1');
    expect(client.textContent).toContain(
      'Deprecated in 2026-07-28. Servers should accept client ID metadata',
    );
    await user.click(within(card).getByRole('button', { name: 'Refresh now' }));
    await waitFor(() => expect(called('authorization_refresh')).toEqual([{ serverId: 's' }]));
    await waitFor(() =>
      expect(within(card).getByRole<HTMLButtonElement>('button', { name: 'Expire now' }).disabled).toBe(
        false,
      ),
    );
    await user.click(within(card).getByRole('button', { name: 'Expire now' }));
    await waitFor(() => expect(called('authorization_expire')).toEqual([{ serverId: 's' }]));
  });

  it('gives a token back only after it asked', async () => {
    const { called, user } = await open(done);
    await user.click(await screen.findByLabelText('Token', { selector: 'input' }));
    const forget = screen.getByRole('button', { name: 'Forget…' });
    // Focused, not clicked: without a layout every click lands on a handle between panes.
    act(() => forget.focus());
    await user.keyboard('{Enter}');
    const cancel = await screen.findByRole('button', { name: 'Cancel' });
    await waitFor(() => expect(document.activeElement).toBe(cancel));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(forget));
    await user.click(forget);
    expect(called('authorization_forget')).toEqual([]);
    await user.click(await screen.findByRole('button', { name: 'Revoke and forget' }));
    await waitFor(() => expect(called('authorization_forget')).toEqual([{ serverId: 's' }]));
  });

  it('takes answers, and cancels, while it is forgetting', async () => {
    const { called, user, say } = await open(done, { authorization_forget: () => new Promise(() => {}) });
    await user.click(await screen.findByLabelText('Token', { selector: 'input' }));
    await user.click(screen.getByRole('button', { name: 'Forget…' }));
    await user.click(await screen.findByRole('button', { name: 'Revoke and forget' }));
    await waitFor(() => expect(called('authorization_forget')).toHaveLength(1));
    say({
      ...done,
      ...waiting({ type: 'privateAddress', url: 'http://10.0.0.7/revoke', why: 'It is in your network.' }),
    });
    const question = await screen.findByRole('region', { name: 'Private address' });
    await user.click(within(question).getByRole('button', { name: 'Allow once' }));
    await waitFor(() =>
      expect(called('authorization_answer')).toMatchObject([
        { answer: { type: 'privateAddress', allow: true } },
      ]),
    );
    await user.click(
      within(screen.getByRole('toolbar', { name: 'Authorization' })).getByRole('button', { name: 'Cancel' }),
    );
    await waitFor(() => expect(called('authorization_cancel')).toHaveLength(1));
  });

  it('asks for other scopes from the step Authorization on', async () => {
    const { called, user } = await open(done);
    await user.click(await screen.findByLabelText('Token', { selector: 'input' }));
    const scopes = screen.getByRole('region', { name: 'Scopes' });
    const field = within(scopes).getByLabelText<HTMLInputElement>('Request scopes');
    expect(field.value).toBe('tools:read tools:call');
    fireEvent.change(field, { target: { value: 'tools:read  admin' } });
    await user.click(within(scopes).getByRole('button', { name: 'Request' }));
    await waitFor(() =>
      expect(called('authorization_start')).toEqual([
        { serverId: 's', from: 'authorization', scopes: ['tools:read', 'admin'] },
      ]),
    );
  });

  it('looks at an earlier run, which cannot be retried', async () => {
    const [present] = done.history;
    const { user } = await open({
      ...done,
      history: [present!, { ...present!, id: 'run-0' as RunId, cause: 'user', summary: 'An old one.' }],
    });
    await user.click(await screen.findByRole('button', { name: '2 runs' }));
    await user.click(await screen.findByRole('menuitem', { name: /An old one/ }));
    expect((await screen.findAllByText('The earlier one.')).length).toBeGreaterThan(0);
    expect(screen.queryByRole('button', { name: 'Retry from here' })).toBeNull();
  });

  it('says what is wrong with the way a token is kept', async () => {
    const { user } = await open({ ...done, problem: 'It is in memory only.' });
    await user.click(await screen.findByLabelText('Token', { selector: 'input' }));
    expect(screen.getByText('It is in memory only.')).toBeDefined();
  });

  it('forgets what is stored and cannot be read', async () => {
    const problem = 'The stored authorization has an unknown format.';
    const { called, user } = await open(authorization({ problem }));
    expect((await screen.findByText(problem)).getAttribute('role')).toBe('status');
    await user.click(screen.getByRole('button', { name: 'Forget…' }));
    const dialog = await screen.findByRole('dialog', { name: 'Forget the authorization of s?' });
    expect(dialog.textContent).toContain('not revoked');
    await user.click(within(dialog).getByRole('button', { name: 'Forget' }));
    await waitFor(() => expect(called('authorization_forget')).toEqual([{ serverId: 's' }]));
  });

  it.each([
    ['no run', null],
    ['a run', done.run],
  ])('forgets a client without a token, with %s', async (_, shown) => {
    const { called, user } = await open({ ...done, token: null, run: shown, history: [] });
    await screen.findByTestId('authorization-status');
    const part = screen.queryByLabelText('Token', { selector: 'input' });
    if (part !== null) await user.click(part);
    await user.click(await screen.findByRole('button', { name: 'Forget…' }));
    await user.click(await screen.findByRole('button', { name: 'Forget' }));
    await waitFor(() => expect(called('authorization_forget')).toEqual([{ serverId: 's' }]));
  });

  it('leads to the vault where it has to be opened first', async () => {
    const { model, user } = await open(authorization(), {
      authorization_start: () =>
        new CommandFailure({ code: 'vaultNeeded', message: 'The vault is locked.', detail: null }),
    });
    await user.click(await screen.findByRole('button', { name: 'Authorize' }));
    await user.click(await screen.findByRole('button', { name: 'Open the vault…' }));
    expect(model.workspace.getState().vaultOpen).toBe(true);
  });

  it('keeps the typed scopes when a run begins in the background', async () => {
    const { user, say } = await open(done);
    await user.click(await screen.findByLabelText('Token', { selector: 'input' }));
    const field = screen.getByLabelText<HTMLInputElement>('Request scopes');
    fireEvent.change(field, { target: { value: 'tools:read admin' } });
    act(() => field.focus());
    const refreshed = run([step('refresh')], { id: 'run-2' as RunId, state: 'done', endedAtMs: AT });
    say({ ...done, run: refreshed });
    expect(await screen.findByRole('option', { name: /^Refresh/ })).toBeDefined();
    expect(screen.getByLabelText<HTMLInputElement>('Request scopes').value).toBe('tools:read admin');
    expect(document.activeElement).toBe(field);
  });

  it('follows a new run, whichever step of the last one was chosen', async () => {
    const { user, say } = await open(failed);
    act(() => screen.getByRole('listbox', { name: 'Steps' }).focus());
    await user.keyboard('{Home}');
    expect(screen.getByRole('region', { name: 'Challenge' })).toBeDefined();
    say({ ...done, run: { ...done.run!, id: 'run-2' as RunId } });
    expect(await screen.findByRole('region', { name: 'Token' })).toBeDefined();
  });

  it('says what follows a token without a refresh token, which depends on the grant', async () => {
    const item = serverAt('https://mcp.example/mcp');
    const draft = { ...item.draft, authorization: { mode: 'clientCredentials' as const } };
    const alone = { ...done, token: token({ hasRefresh: false }), run: null, history: [] };
    await open(alone, {}, { ...item, draft });
    const card = await screen.findByRole('region', { name: 'Access token' });
    expect(card.textContent).toContain('None: a new token is requested when it expires');
  });

  it('says that the browser could not be started, until the URL is open', async () => {
    const view = waiting({ type: 'callback' });
    const words = 'The browser could not be started: no such program.';
    const place = new URL(ADDRESS).origin;
    const opened = attempt('open', place, { seq: null, status: null, verdict: 'failed', words });
    const steps = [step('challenge'), step('authorization', { state: 'waiting', attempts: [opened] })];
    const { user } = await open({ ...view, run: { ...view.run!, steps } });
    const wait = await screen.findByRole('region', { name: 'In the browser' });
    expect(wait.textContent).toContain('Open this URL in a browser');
    expect(wait.textContent).toContain(words);
    expect(screen.getByRole('heading', { name: '1 attempt' })).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Open in browser' }));
    expect(await screen.findByText('Continue in the browser')).toBeDefined();
    expect(wait.textContent).not.toContain(words);
  });

  it('counts what was pasted, which is not an exchange', async () => {
    const view = waiting({ type: 'callback' });
    const pasted = attempt('paste', 'http://localhost:5/callback', {
      seq: null,
      status: null,
      verdict: 'refused',
      words: 'The pasted text does not belong to this authorization.',
    });
    const steps = [step('challenge'), step('authorization', { state: 'waiting', attempts: [pasted] })];
    await open({ ...view, run: { ...view.run!, steps } });
    expect(await screen.findByRole('heading', { name: '1 pasted text' })).toBeDefined();
  });
});
