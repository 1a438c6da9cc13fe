import { describe, expect, it } from 'vitest';
import type { ExchangeId, ExchangeOutcome, Seq, ServerId } from '../../contract/generated/contract';
import { CommandFailure } from '../../host/host';
import { ScriptedHost } from '../../host/scripted';
import { PLAIN_OPTIONS, createToolCalls, deskKey, runningTools, standingOf } from './toolCall';

const SERVER = 's' as ServerId;
const KEY = deskKey(SERVER, 't');
const OPTIONS = PLAIN_OPTIONS;
const CANCELLED: ExchangeOutcome = { type: 'cancelled' };

function setUp(answers: ConstructorParameters<typeof ScriptedHost>[0] = {}) {
  const host = new ScriptedHost(answers);
  const calls = createToolCalls(host, () => 1000);
  const start = (tool = 't') =>
    calls.start({ serverId: SERVER, tool, argumentsJson: '{"a":1.10}', options: OPTIONS });
  const newest = () => calls.getState()[KEY]!.calls[0]!;
  const finish = (outcome: ExchangeOutcome) =>
    host.stream('tool_call').emit({
      type: 'finished',
      outcome,
      durationMs: 5,
      humanWaitMs: 0,
      requestSeq: '1' as Seq,
      responseSeq: '2' as Seq,
    });
  return { host, calls, start, newest, finish };
}

describe('createToolCalls', () => {
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
    const { host, calls, start } = setUp();
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
    expect(calls.getState()[KEY]!.calls[0]!.outcome).toEqual(CANCELLED);
    expect(calls.getState()[deskKey(SERVER, 'u')]!.calls[0]!.outcome).toBeNull();
    expect(runningTools(calls.getState(), SERVER)).toEqual(['u']);
    expect(runningTools(calls.getState(), 'elsewhere' as typeof SERVER)).toEqual([]);
  });

  it('says so when a call ends without an end', () => {
    const { host, start, newest } = setUp();
    start();
    host.stream('tool_call').end({ code: 'notConnected', message: 'Not connected', detail: null });
    expect(newest().outcome).toEqual({ type: 'notSent', message: 'Not connected' });
  });

  it('keeps the last 20 that are over, and all that run', () => {
    const { calls, start, finish } = setUp();
    start();
    for (let turn = 0; turn < 25; turn += 1) {
      start();
      finish(CANCELLED);
    }
    const kept = calls.getState()[KEY]!.calls;
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
    finish({ type: 'result', raw, tool, freshness: null });
    expect(standingOf(newest())).toBe('toolError');
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
    expect(standingOf(newest())).toBe('rpcError');
  });
});
