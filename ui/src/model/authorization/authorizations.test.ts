import { describe, expect, it } from 'vitest';
import type { AuthorizationGetResponse, RunId, ServerId } from '../../contract/generated';
import { CommandFailure } from '../../host/host';
import { Link } from '../../host/link';
import { ScriptedHost } from '../../host/scripted';
import { createAppEvents } from '../workspace/appEvents';
import { AT, authorization, run } from './authorization.fixture';
import { createAuthorizations, noAuthorization, shownRun, waitingRuns } from './authorizations';
import { createServers } from '../servers/servers';
import { connection, server } from '../servers/servers.fixture';

const SERVER = 's' as ServerId;
const waiting = run([], { state: 'waiting', question: { type: 'callback' } });

function setUp(answers: ConstructorParameters<typeof ScriptedHost>[0] = {}) {
  const known: Record<string, AuthorizationGetResponse> = { s: authorization({ run: waiting }) };
  const host = new ScriptedHost({
    server_list: () => ({ items: [server('s', connection({ state: 'authorizing' }))] }),
    authorization_get: ({ serverId, runId }) =>
      runId === null
        ? structuredClone(known[serverId] ?? authorization())
        : authorization({ run: run([], { id: runId, state: 'failed' }) }),
    ...answers,
  });
  const link = new Link();
  const events = createAppEvents(host, link);
  const servers = createServers(host, events);
  const authorizations = createAuthorizations(host, events, servers);
  const called = (name: string): unknown[] =>
    host.calls.filter((call) => call.name === name).map(({ params }) => params);
  const of = () => authorizations.getState()[SERVER] ?? noAuthorization;
  return { host, link, servers, authorizations, known, called, of };
}

describe('createAuthorizations', () => {
  it('loads what the engine says changed, even when it is not shown', async () => {
    const { host, of } = setUp();
    host.stream('app_watch').emit({ topic: 'authorization', serverId: SERVER, revision: 1 });
    await expect.poll(() => of().data?.run?.state).toBe('waiting');
  });

  it('knows those under way when the window opens, and after the way to the engine was lost', async () => {
    const { servers, link, called } = setUp();
    await servers.refresh();
    await expect.poll(() => called('authorization_get').length).toBe(1);
    link.set('lost');
    link.set('up');
    await expect.poll(() => called('authorization_get').length).toBe(2);
  });

  it('looks at an earlier run until there is a new one', async () => {
    const { authorizations, known, of } = setUp();
    await authorizations.refresh(SERVER);
    await authorizations.look(SERVER, 'run-0' as RunId);
    expect(shownRun(of())?.id).toBe('run-0');
    await authorizations.refresh(SERVER);
    expect(shownRun(of())?.id).toBe('run-0');
    known['s'] = authorization({ run: run([], { id: 'run-2' as RunId }) });
    await authorizations.refresh(SERVER);
    expect(shownRun(of())?.id).toBe('run-2');
    await authorizations.look(SERVER, 'run-0' as RunId);
    await authorizations.look(SERVER, 'run-2' as RunId);
    expect(of().earlier).toBeNull();
  });

  it('ignores what it reads of an earlier run when another one was chosen meanwhile', async () => {
    let answer: (late: AuthorizationGetResponse) => void = () => {};
    const late = new Promise<AuthorizationGetResponse>((resolve) => (answer = resolve));
    const { authorizations, of } = setUp({
      authorization_get: ({ runId }) =>
        runId === 'run-0' ? late : authorization({ run: run([], { id: 'run-1' as RunId }) }),
    });
    await authorizations.refresh(SERVER);
    const looked = authorizations.look(SERVER, 'run-0' as RunId);
    await authorizations.look(SERVER, null);
    answer(authorization({ run: run([], { id: 'run-0' as RunId }) }));
    await looked;
    expect(of().earlier).toBeNull();
  });

  it('begins at a step, with scopes, and says why it could not', async () => {
    const { authorizations, called, of } = setUp({
      authorization_start: ({ from }) =>
        from === 'token'
          ? new CommandFailure({ code: 'invalidParams', message: 'There is no code.', detail: null })
          : { runId: 'run-2' as RunId },
    });
    await authorizations.start(SERVER);
    await authorizations.start(SERVER, 'authorization', ['a', 'b']);
    expect(called('authorization_start')).toEqual([
      { serverId: 's', from: null, scopes: null },
      { serverId: 's', from: 'authorization', scopes: ['a', 'b'] },
    ]);
    expect(of().error).toBeNull();
    await authorizations.start(SERVER, 'token');
    expect(of()).toMatchObject({ error: { message: 'There is no code.' }, busy: false });
    authorizations.dismissError(SERVER);
    expect(of().error).toBeNull();
  });

  it('is replying until it is known what an answer led to', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { authorizations, called, of } = setUp({
      authorization_answer: () => ({}),
      authorization_get: async () => {
        await held;
        return authorization({ run: waiting });
      },
    });
    const answer = { type: 'privateAddress', url: 'http://10.0.0.7/', allow: true } as const;
    const answered = authorizations.answer(SERVER, waiting.id, answer);
    await expect.poll(() => called('authorization_get').length).toBe(1);
    expect(of().replying).toBe(true);
    release();
    await answered;
    expect(of().replying).toBe(false);
  });

  it('passes an answer on and keeps nothing of it', async () => {
    const { authorizations, called } = setUp({ authorization_answer: () => ({}) });
    const answer = { type: 'client', id: 'me', secret: 'very-secret-value' } as const;
    expect(await authorizations.answer(SERVER, waiting.id, answer)).toBe(true);
    expect(called('authorization_answer')).toEqual([{ serverId: 's', runId: 'run-1', answer }]);
    expect(JSON.stringify(authorizations.getState())).not.toContain('very-secret-value');
  });

  it('carries out what is wanted of a token and pulls it again', async () => {
    const { authorizations, called } = setUp({
      authorization_refresh: () => ({}),
      authorization_expire: () => ({}),
      authorization_forget: () => ({}),
      authorization_cancel: () => ({}),
    });
    await authorizations.refreshToken(SERVER);
    await authorizations.expireToken(SERVER);
    await authorizations.cancel(SERVER);
    expect(await authorizations.forget(SERVER)).toBe(true);
    for (const name of ['refresh', 'expire', 'cancel', 'forget']) {
      expect(called(`authorization_${name}`)).toEqual([{ serverId: 's' }]);
    }
    expect(called('authorization_get').length).toBe(4);
  });

  it('forgets a server that was removed while its run waited', async () => {
    const { host, servers, authorizations } = setUp();
    const waits = () => waitingRuns(authorizations.getState()).map(({ serverId }) => serverId);
    await servers.refresh();
    await authorizations.settled();
    expect(waits()).toEqual([SERVER]);
    host.answers.server_list = () => ({ items: [server('other', connection({}))] });
    await servers.refresh();
    expect(waits()).toEqual([]);
    // The engine tells of the run that ended with the server.
    delete host.answers.authorization_get;
    host.stream('app_watch').emit({ topic: 'authorization', serverId: SERVER, revision: 2 });
    await authorizations.settled();
    expect(authorizations.getState()).toEqual({});
  });

  it('says why it could not be pulled', async () => {
    const { host, authorizations, of } = setUp();
    delete host.answers.authorization_get;
    await authorizations.refresh(SERVER);
    expect(of().error?.code).toBe('notFound');
  });

  it('does not say any more that it could not be pulled once it could, but why a command failed', async () => {
    const { host, authorizations, of } = setUp({
      authorization_refresh: () =>
        new CommandFailure({ code: 'serverError', message: 'no token', detail: null }),
    });
    const get = host.answers.authorization_get!;
    delete host.answers.authorization_get;
    await authorizations.refresh(SERVER);
    expect(of().error?.code).toBe('notFound');
    host.answers.authorization_get = get;
    await authorizations.refresh(SERVER);
    expect(of().error).toBeNull();
    await authorizations.refreshToken(SERVER);
    await authorizations.refresh(SERVER);
    expect(of().error?.message).toBe('no token');
  });
});

it('lists the runs that wait for the user, the oldest first', () => {
  const of = (id: string, startedAtMs: number, state: 'waiting' | 'running') => ({
    ...noAuthorization,
    data: authorization({ run: run([], { id: id as RunId, startedAtMs, state }) }),
  });
  const all = {
    a: of('1', AT + 2, 'waiting'),
    b: of('2', AT, 'waiting'),
    c: of('3', AT, 'running'),
    d: noAuthorization,
  };
  expect(waitingRuns(all).map(({ serverId, run: { id } }) => [serverId, id])).toEqual([
    ['b', '2'],
    ['a', '1'],
  ]);
});
