import { describe, expect, it } from 'vitest';
import type { InputId, ProviderId } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { createSampling } from './sampling';

const ID = '1' as InputId;
const CHOICE = { providerId: 'p' as ProviderId, model: 'talk' };

function start() {
  const host = new ScriptedHost();
  const sampling = createSampling(host);
  const results: string[] = [];
  sampling.generate(ID, CHOICE, '{"messages":[]}', (result) => results.push(result));
  const run = () => sampling.getState().runs[ID];
  return { host, sampling, results, run, stream: host.stream('sampling_generate') };
}

describe('the answer of a model', () => {
  it('arrives in pieces, then whole', async () => {
    const { run, results, stream } = start();
    expect(stream.params).toEqual({ inputId: ID, ...CHOICE, paramsJson: '{"messages":[]}' });
    stream.emit({ type: 'thinking', text: 'Hm.' });
    stream.emit({ type: 'text', text: 'Hel' });
    stream.emit({ type: 'text', text: 'lo' });
    stream.emit({ type: 'toolUse', name: 'look' });
    stream.emit({ type: 'toolInput', text: '{"n":' });
    stream.emit({ type: 'toolInput', text: '9007199254740993}' });
    await expect.poll(() => run()?.text).toBe('Hello');
    expect(run()).toMatchObject({
      state: 'running',
      thinking: 'Hm.',
      calls: [{ name: 'look', input: '{"n":9007199254740993}' }],
    });
    stream.emit({
      type: 'finished',
      resultJson: '{"n":1.10}',
      inputTokens: 3,
      outputTokens: null,
      tookMs: 1234,
    });
    expect(run()).toMatchObject({ state: 'finished', facts: '3 tokens in · 1.23 s' });
    expect(results).toEqual(['{"n":1.10}']);
    stream.end();
    expect(run()?.state).toBe('finished');
  });

  it('is kept as far as it came when the user stops the model', () => {
    const { run, results, sampling, stream } = start();
    stream.emit({ type: 'text', text: 'Hel' });
    sampling.stop(ID);
    expect(stream.closed).toBe(true);
    expect(run()?.state).toBe('stopped');
    expect(results.map((each) => JSON.parse(each) as unknown)).toEqual([
      { role: 'assistant', content: { type: 'text', text: 'Hel' }, model: 'talk', stopReason: 'endTurn' },
    ]);
  });

  it('is kept as far as it came when it ends without an end', () => {
    const { run, results, stream } = start();
    stream.emit({ type: 'text', text: 'Hel' });
    stream.end();
    expect(run()?.state).toBe('stopped');
    expect(results.map((each) => JSON.parse(each) as unknown)).toMatchObject([
      { content: { type: 'text', text: 'Hel' } },
    ]);
  });

  it('fails with the reason, also if the stream itself fails', () => {
    const { run, results, stream } = start();
    stream.end({ code: 'notFound', message: 'This request is gone.', detail: null });
    expect(run()).toMatchObject({ state: 'failed', failure: { cause: 'This request is gone.' } });
    expect(results).toEqual([]);
  });

  it('of an earlier start is not taken, and a request that is gone stops its model', () => {
    const { sampling, run, results, stream, host } = start();
    sampling.generate(ID, CHOICE, '{}', (result) => results.push(result));
    stream.emit({ type: 'text', text: 'old' });
    expect(stream.closed).toBe(true);
    expect(run()?.text).toBe('');
    sampling.keepOnly(new Set());
    expect(host.streams('sampling_generate').every(({ closed }) => closed)).toBe(true);
    expect(sampling.getState().runs).toEqual({});
  });
});
