import { describe, expect, it } from 'vitest';
import type { ExchangeId, ExchangeOutcome, Seq, ServerId, TaskItem } from '../../contract/generated';
import { CommandFailure } from '../../host/host';
import { Link } from '../../host/link';
import { ScriptedHost } from '../../host/scripted';
import { statusOf } from './exchange';
import { createExchanges, exchangesOf, runningTools, shownExchange } from './exchanges';
import { DEFAULT_OPTIONS, taskKey, toolKey } from './request';

const SERVER = 's' as ServerId;
const KEY = toolKey(SERVER, 't');
const CANCELLED: ExchangeOutcome = { type: 'cancelled' };

function setUp(answers: ConstructorParameters<typeof ScriptedHost>[0] = {}) {
  const host = new ScriptedHost(answers);
  const link = new Link();
  const tasks: TaskItem[] = [];
  const calls = createExchanges(
    host,
    () => 1000,
    (_, task) => tasks.push(task),
    link,
  );
  const start = (name = 't') =>
    calls.start(SERVER, { type: 'tool', name, argumentsJson: '{"a":1.10}', options: DEFAULT_OPTIONS });
  const newest = () => exchangesOf(calls.getState(), KEY).items[0]!;
  const finish = (outcome: ExchangeOutcome) =>
    host.stream('tool_call').emit({
      type: 'finished',
      outcome,
      durationMs: 5,
      humanWaitMs: 0,
      requestSeq: '1' as Seq,
      responseSeq: '2' as Seq,
    });
  return { host, link, calls, tasks, start, newest, finish };
}

describe('createExchanges', () => {
  it('sends the text of the arguments as it is', () => {
    const { host, start } = setUp();
    start();
    expect(host.stream('tool_call').params).toEqual({
      serverId: SERVER,
      name: 't',
      argumentsJson: '{"a":1.10}',
      metaJson: null,
      timeouts: null,
    });
  });

  it('follows a call from its start over progress to its end', () => {
    const { host, start, newest, finish } = setUp();
    start();
    const stream = host.stream('tool_call');
    stream.emit({ type: 'started', exchangeId: 'x' as ExchangeId, seq: '1' as Seq });
    stream.emit({ type: 'progress', progress: 2, total: 5, message: 'two', count: 2 });
    expect(newest()).toMatchObject({
      exchangeId: 'x',
      requestSeq: '1',
      progress: { progress: 2, total: 5 },
      outcome: null,
    });
    finish(CANCELLED);
    stream.end();
    expect(newest()).toMatchObject({ outcome: CANCELLED, durationMs: 5, responseSeq: '2' });
  });

  it('runs several calls at once and keeps them apart', () => {
    const { host, calls, start, newest } = setUp();
    start('t');
    start('u');
    host.streams('tool_call')[0]!.emit({
      type: 'finished',
      outcome: CANCELLED,
      durationMs: 1,
      humanWaitMs: 0,
      requestSeq: null,
      responseSeq: null,
    });
    expect(newest().outcome).toEqual(CANCELLED);
    expect(exchangesOf(calls.getState(), toolKey(SERVER, 'u')).items[0]!.outcome).toBeNull();
    expect(runningTools(calls.getState(), SERVER)).toEqual(['u']);
    expect(runningTools(calls.getState(), 'elsewhere' as typeof SERVER)).toEqual([]);
  });

  it('says that nothing was sent only while the request has not been sent', () => {
    const { host, start, newest } = setUp();
    const ended = { code: 'notConnected', message: 'Not connected', detail: null } as const;
    start();
    host.stream('tool_call').end(ended);
    expect(newest().outcome).toEqual({ type: 'notSent', message: 'Not connected' });
    start();
    const stream = host.stream('tool_call');
    stream.emit({ type: 'started', exchangeId: 'x' as ExchangeId, seq: '1' as Seq });
    stream.end(ended);
    expect(newest().outcome).toMatchObject({
      type: 'connectionLost',
      failure: { cause: 'Not connected' },
    });
    expect(statusOf(newest())).toBe('lost');
  });

  it('never says that nothing was sent for a task, whose state was requested', () => {
    const { host, calls } = setUp();
    calls.start(SERVER, { type: 'task', taskId: 't1' });
    host.stream('task_result').end({ code: 'notConnected', message: 'Gone.', detail: null });
    const { items } = exchangesOf(calls.getState(), taskKey(SERVER, 't1'));
    expect(items[0]!.outcome).toMatchObject({ type: 'connectionLost', failure: { cause: 'Gone.' } });
  });

  it('waits on for what runs while Patchbay cannot be reached for a while', () => {
    const { host, link, calls, start, newest } = setUp();
    const lost = { code: 'internal', message: 'Lost.', detail: null } as const;
    start();
    host.stream('tool_call').end(lost);
    start('u');
    const other = host.stream('tool_call');
    start();
    const stream = host.stream('tool_call');
    for (const each of [other, stream])
      each.emit({ type: 'started', exchangeId: 'x' as ExchangeId, seq: '1' as Seq });
    link.set('lost');
    other.end(lost);
    stream.end(lost);
    expect(newest().outcome).toBeNull();
    expect(host.streams('exchange_follow')).toEqual([]);
    calls.discard(exchangesOf(calls.getState(), toolKey(SERVER, 'u')).items[0]!);
    link.set('up');
    // Neither what was discarded nor what was never sent.
    expect(host.streams('exchange_follow').map(({ params }) => params)).toEqual([
      { serverId: SERVER, exchangeId: 'x', seq: '1' },
    ]);
    link.set('lost');
    host.stream('exchange_follow').end(lost);
    link.set('up');
    expect(newest().outcome).toBeNull();
    host.stream('exchange_follow').end({ code: 'notConnected', message: 'Gone.', detail: null });
    expect(newest().outcome).toMatchObject({
      type: 'connectionLost',
      failure: { cause: 'The connection to Patchbay was lost before the response arrived.', seq: '1' },
    });
  });

  it('waits for the result of a task, reports its status, and can stop waiting', () => {
    const { host, calls, tasks } = setUp();
    const key = taskKey(SERVER, 'a');
    calls.start(SERVER, { type: 'task', taskId: 'a' });
    const task = { taskId: 'a', status: 'input_required' } as TaskItem;
    host.stream('task_result').emit({ type: 'task', task });
    expect(tasks).toEqual([task]);
    const waiting = shownExchange(calls.getState(), key)!;
    expect(waiting).toMatchObject({ task, outcome: null });
    calls.discard(waiting);
    expect(host.streams('task_result')[0]?.closed).toBe(true);
    expect(shownExchange(calls.getState(), key)).toBeUndefined();
  });

  it('reads resources and gets prompts by streams of their own', () => {
    const { host, calls } = setUp();
    calls.start(SERVER, { type: 'resource', uri: 'file:///a' });
    expect(host.stream('resource_read').params).toEqual({
      serverId: SERVER,
      uri: 'file:///a',
      timeouts: null,
    });
    calls.start(SERVER, { type: 'prompt', name: 'p', argumentsJson: '{"x":"1"}', timeouts: null });
    expect(host.stream('prompt_get').params).toEqual({
      serverId: SERVER,
      name: 'p',
      argumentsJson: '{"x":"1"}',
      timeouts: null,
    });
  });

  it('sends any other method with its params as they are', () => {
    const { host, calls } = setUp();
    calls.start(SERVER, { type: 'raw', method: 'x/y', paramsJson: '{"n":1.10}', repeats: '7' as Seq });
    expect(host.stream('request_send').params).toEqual({
      serverId: SERVER,
      method: 'x/y',
      paramsJson: '{"n":1.10}',
      timeouts: null,
      repeats: '7',
    });
  });

  it('keeps the last 20 that are over, and all that run', () => {
    const { calls, start, finish } = setUp();
    start();
    for (let turn = 0; turn < 25; turn += 1) {
      start();
      finish(CANCELLED);
    }
    const kept = exchangesOf(calls.getState(), KEY).items;
    expect(kept.filter((call) => call.outcome === null)).toHaveLength(1);
    expect(kept.filter((call) => call.outcome !== null)).toHaveLength(20);
    expect(kept[0]!.id).toBe(26);
  });

  it('can be asked again to cancel when asking failed', async () => {
    const { host, calls, start, newest } = setUp({
      exchange_cancel: () => new CommandFailure({ code: 'internal', message: 'no', detail: null }),
    });
    start();
    await calls.cancel(newest());
    expect(host.calls).toHaveLength(0);
    host.stream('tool_call').emit({ type: 'started', exchangeId: 'x' as ExchangeId, seq: '1' as Seq });
    await calls.cancel(newest());
    expect(host.calls).toEqual([{ name: 'exchange_cancel', params: { exchangeId: 'x' } }]);
    expect(newest().cancelling).toBe(false);
  });

  it('tells an error of the tool from an error of JSON-RPC', () => {
    const { start, newest, finish } = setUp();
    const raw = { inline: '{}', body: 'b' as never, size: 2, pretty: null };
    const tool = { isError: true, content: [], structured: null, structuredMissing: false, violations: [] };
    start();
    finish({ type: 'result', raw, view: { type: 'tool', tool }, freshness: null });
    expect(statusOf(newest())).toBe('toolError');
    start();
    finish({
      type: 'rpcError',
      raw,
      code: '-32602',
      message: 'm',
      meaning: null,
      advice: null,
      dataJson: null,
    });
    expect(statusOf(newest())).toBe('rpcError');
  });
});
