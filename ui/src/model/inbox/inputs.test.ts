import { describe, expect, it } from 'vitest';
import type { ExchangeId, InputId, InputListResponse, Seq, ServerId } from '../../contract/generated';
import { CommandFailure } from '../../host/host';
import { Link } from '../../host/link';
import { ScriptedHost } from '../../host/scripted';
import { createAppEvents } from '../workspace/appEvents';
import { OPENED_A_MINUTE, createInputs, nextToOffer } from './inputs';
import { input, withdrawn } from './inputs.fixture';

function setUp(answers: ConstructorParameters<typeof ScriptedHost>[0] = {}) {
  const queue: InputListResponse = { items: [], withdrawn: [], answered: [] };
  const host = new ScriptedHost({
    input_list: () => structuredClone(queue),
    input_answer: ({ inputId }) => {
      queue.items = queue.items.filter(({ id }) => id !== inputId);
      return {};
    },
    ...answers,
  });
  const inputs = createInputs(host, createAppEvents(host, new Link()));
  return { host, inputs, queue };
}

describe('createInputs', () => {
  it('pulls them when the engine says that they changed', async () => {
    const { host, inputs, queue } = setUp();
    queue.items.push(input('1'));
    host.stream('app_watch').emit({ topic: 'inputs', serverId: null, revision: 1 });
    await expect.poll(() => inputs.getState().items.length).toBe(1);
  });

  it('pulls each once', async () => {
    const [first, second] = [input('1', { paramsJson: '{"large":1}' }), input('2')];
    const { inputs, host } = setUp({
      input_list: ({ known }) =>
        (known ?? []).length === 0
          ? { items: [first, second], withdrawn: [], answered: [] }
          : { still: ['2' as InputId], items: [input('3')], withdrawn: [], answered: [] },
    });
    await inputs.refresh();
    expect(inputs.getState().items).toEqual([first, second]);
    await inputs.refresh();
    expect(inputs.getState().items).toEqual([second, input('3')]);
    expect(host.calls.filter(({ name }) => name === 'input_list').at(-1)?.params).toEqual({
      known: ['1', '2'],
    });
  });

  it('has no request any more once it is answered, also if a list that was requested before comes', async () => {
    let answer: ((list: InputListResponse) => void) | undefined;
    const lists: InputListResponse[] = [{ items: [input('1'), input('2')], withdrawn: [], answered: [] }];
    const { inputs } = setUp({
      input_list: () =>
        lists.shift() ??
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    await inputs.refresh();
    const pulled = inputs.refresh();
    await expect.poll(() => answer).toBeDefined();
    await inputs.answer('1' as InputId, { type: 'result', json: '{}' });
    expect(inputs.getState().items).toEqual([input('2')]);
    answer?.({ items: [], still: ['1' as InputId, '2' as InputId], withdrawn: [], answered: [] });
    await pulled;
    expect(inputs.getState().items).toEqual([input('2')]);
  });

  it('offers each once, in the order they came, but none for roots', async () => {
    const { inputs, queue } = setUp();
    queue.items.push(input('0', { kind: 'roots' }), input('1'), input('2'));
    await inputs.refresh();
    const next = (): string | undefined => nextToOffer(inputs.getState())?.id;
    expect(next()).toBe('1');
    inputs.offer('1' as InputId);
    expect(next()).toBe('2');
    inputs.offer('2' as InputId);
    expect(next()).toBeUndefined();
  });

  it('keeps a draft as long as its request is known, and forgets what was answered', async () => {
    const { inputs, queue, host } = setUp();
    queue.items.push(input('1'), input('2'));
    await inputs.refresh();
    inputs.keepDraft('1' as InputId, '{"a":1}');
    inputs.keepDraft('2' as InputId, '{"b":2}');
    queue.items.shift();
    queue.withdrawn.push(withdrawn('1'));
    await inputs.refresh();
    expect(inputs.getState().drafts).toEqual({ '1': '{"a":1}', '2': '{"b":2}' });
    await inputs.answer('2' as InputId, { type: 'result', json: '{"b":2}' });
    expect(host.calls.find(({ name }) => name === 'input_answer')?.params).toEqual({
      inputId: '2',
      answer: { type: 'result', json: '{"b":2}' },
    });
    expect(inputs.getState()).toMatchObject({ items: [], drafts: { '1': '{"a":1}' } });
    inputs.dismissWithdrawn();
    await inputs.refresh();
    expect(inputs.getState().withdrawn).toEqual([]);
  });

  it('is quiet about a server that asks without end, until the user says otherwise', async () => {
    const { host, inputs, queue } = setUp();
    const ids = Array.from({ length: OPENED_A_MINUTE + 2 }, (_, at) => String(at) as InputId);
    queue.items.push(...ids.map((id) => input(id)), input('other', { serverId: 'o' as ServerId }));
    await inputs.refresh();
    const opened = ids.filter((id) => inputs.offerAutomatically(id));
    expect(opened).toHaveLength(OPENED_A_MINUTE);
    expect([...inputs.getState().quiet]).toEqual(['s']);
    expect(nextToOffer(inputs.getState())?.id).toBe('other');
    inputs.unquiet('s' as ServerId);
    expect(nextToOffer(inputs.getState())?.id).toBe(ids[OPENED_A_MINUTE]);
    expect(inputs.offerAutomatically(ids[OPENED_A_MINUTE]!)).toBe(true);
    await inputs.answerAll('s' as ServerId, () => ({ type: 'result', json: '{"action":"decline"}' }));
    expect(inputs.getState().items.map(({ id }) => id)).toEqual(['other']);
    expect(host.calls.filter(({ name }) => name === 'input_answer')).toHaveLength(ids.length);
  });

  it('is not quiet about calls that the user starts one after the other', async () => {
    const { inputs, queue } = setUp();
    const during = (exchange: string) => [{ seq: '1' as Seq, exchange: exchange as ExchangeId }];
    queue.items.push(
      ...Array.from({ length: 20 }, (_, at) => input(String(at), { during: during(String(at)) })),
    );
    await inputs.refresh();
    for (const { id } of queue.items) expect(inputs.offerAutomatically(id)).toBe(true);
    expect([...inputs.getState().quiet]).toEqual([]);
  });

  it('answers all that are left when one is gone, and hands on what else went wrong at the end', async () => {
    const failure = (code: 'notFound' | 'storage') =>
      new CommandFailure({ code, message: code, detail: null });
    const failures: Record<string, CommandFailure> = { '1': failure('notFound'), '2': failure('storage') };
    const { host, inputs, queue } = setUp({ input_answer: ({ inputId }) => failures[inputId] ?? {} });
    queue.items.push(input('1'), input('2'), input('3'));
    await inputs.refresh();
    const all = () => inputs.answerAll('s' as ServerId, () => ({ type: 'result', json: '{}' }));
    await expect(all()).rejects.toThrow('storage');
    const tried = host.calls.flatMap(({ name, params }) =>
      name === 'input_answer' ? [(params as { inputId: string }).inputId] : [],
    );
    expect(tried).toEqual(['1', '2', '3']);
    delete failures['2'];
    await all();
  });

  it('hands on why an answer was not taken', async () => {
    const refusal = new CommandFailure({
      code: 'notFound',
      message: 'This request is gone.',
      detail: null,
    });
    const { inputs } = setUp({ input_answer: () => refusal });
    await expect(inputs.answer('1' as InputId, { type: 'result', json: '{}' })).rejects.toThrow(
      'This request is gone.',
    );
  });
});
