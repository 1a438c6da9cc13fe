import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type {
  ConnectionId,
  ServerId,
  ServerItem,
  TrafficRecordResponse,
  TrafficRow,
  ViolationItem,
} from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { Link } from '../../../host/link';
import { createAppEvents } from '../../workspace/appEvents';
import { connection, server } from '../../servers/servers.fixture';
import { createServers } from '../../servers/servers';
import { row } from '../../traffic/trafficRows.fixture';
import { linesOf } from './failures';
import { createProblems } from './problems';

const STRAY: ViolationItem = {
  rule: 'not-json',
  severity: 'error',
  message: 'not JSON',
  pointer: null,
};
const DIALECT: ViolationItem = {
  rule: 'schema-dialect',
  severity: 'warning',
  message: 'old',
  pointer: null,
};

/** A log of these violations, a record each, of server `a`. */
async function open(log: ViolationItem[][]) {
  const connected = (): ServerItem =>
    server(
      'a',
      connection({ state: 'ready', connectionId: '7' as ConnectionId, problemCount: log.flat().length }),
    );
  const rows = (filter: string): TrafficRow[] => {
    const known = / otherrule:(\S+)/.exec(filter)?.[1]?.split(',') ?? [];
    return log
      .map((violations, i) => ({ violations, row: row(i + 1, { violationCount: violations.length }) }))
      .filter(({ violations }) => violations.some(({ rule }) => !known.includes(rule)))
      .map((each) => each.row);
  };
  let items: ServerItem[] = [connected()];
  const host = new ScriptedHost({
    server_list: () => ({ items }),
    traffic_rows: ({ filter, offset, limit }) => ({
      rows: rows(filter).slice(offset, offset + limit),
      total: rows(filter).length,
    }),
    traffic_record: ({ seq }) =>
      ({ violations: log[Number(seq) - 1] ?? [] }) as unknown as TrafficRecordResponse,
  });
  const link = new Link();
  const events = createAppEvents(host, link);
  const servers = createServers(host, events);
  const problems = createProblems(host, servers, events);
  const refresh = async (next?: ServerItem[]): Promise<void> => {
    items = next ?? [connected()];
    await servers.refresh();
    await vi.runAllTimersAsync();
  };
  await refresh();
  return {
    host,
    link,
    problems,
    refresh,
    of: () => problems.getState().byServer['a' as ServerId],
    reads: () => host.calls.filter(({ name }) => name === 'traffic_record').length,
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('are the violations of a connection, each once, with the newest record and the heaviest first', async () => {
  const { of } = await open([[DIALECT], [STRAY], [], [STRAY, DIALECT]]);
  expect(of()?.problems).toEqual([
    { weight: 'error', rule: 'not-json', message: 'not JSON', seq: '4', count: 2 },
    { weight: 'info', rule: 'schema-dialect', message: 'old', seq: '4', count: 2 },
  ]);
});

it('are read when they are counted, and only what is new', async () => {
  const log = [[STRAY]];
  const { of, refresh, reads } = await open(log);
  await refresh();
  expect(reads()).toBe(1);
  log.push([DIALECT]);
  await refresh();
  expect(reads()).toBe(2);
  expect(of()?.problems.length).toBe(2);
});

it('are read after the link was lost for longer than they are tried, also if nothing was counted meanwhile', async () => {
  const log = [[STRAY]];
  const { host, link, of, refresh } = await open(log);
  const answer = host.answers.traffic_rows;
  log.push([DIALECT]);
  delete host.answers.traffic_rows;
  await refresh();
  link.set('lost');
  await vi.runAllTimersAsync();
  expect(of()?.problems.length).toBe(1);
  Object.assign(host.answers, { traffic_rows: answer });
  link.set('up');
  await vi.runAllTimersAsync();
  expect(of()?.problems.length).toBe(2);
});

it('are bounded: of one rule 50 records are read, so that another one is still found', async () => {
  const { of, reads } = await open([...Array.from({ length: 5_000 }, () => [STRAY]), [DIALECT]]);
  expect(of()?.problems.map(({ rule }) => rule)).toEqual(['not-json', 'schema-dialect']);
  expect(reads()).toBeLessThan(100);
});

it('include one of a record that also violates a rule of which enough are known', async () => {
  const log = Array.from({ length: 60 }, () => [DIALECT]);
  const { of, refresh } = await open(log);
  log.push([DIALECT, STRAY]);
  await refresh();
  expect(of()?.problems.map(({ rule }) => rule)).toEqual(['not-json', 'schema-dialect']);
});

it('cost nothing for a server without any, and go with the connection and with the log', async () => {
  const { host, of, problems, refresh } = await open([]);
  expect(host.calls.some(({ name }) => name === 'traffic_rows')).toBe(false);
  const other = await open([[STRAY]]);
  await other.refresh([server('a', connection({ state: 'connecting', connectionId: '8' as ConnectionId }))]);
  expect(other.of()).toBeUndefined();
  const cleared = await open([[STRAY]]);
  cleared.problems.forget(null);
  await cleared.refresh();
  expect(cleared.of()).toBeUndefined();
  await refresh([]);
  expect(of()).toBeUndefined();
  expect(problems.getState().byServer).toEqual({});
});

it('include what failed at a server itself', () => {
  const failure = { cause: 'The server exited with code 1.' } as NonNullable<
    ServerItem['connection']['failure']
  >;
  const lines = linesOf(server('a', connection({ state: 'failed', failure })), undefined);
  expect(lines).toEqual([
    {
      weight: 'error',
      message: 'Connection failed: The server exited with code 1.',
      rule: null,
      seq: null,
      count: 1,
    },
  ]);
  expect(linesOf(server('b', connection({ state: 'ready' })), undefined)).toEqual([]);
});
