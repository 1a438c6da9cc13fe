import { describe, expect, it } from 'vitest';
import type { Seq, ServerId, TrafficMessageResponse } from '../../contract/generated';
import { CommandFailure } from '../../host/host';
import { ScriptedHost } from '../../host/scripted';
import { aTool } from '../tools/tools.fixture';
import { readUiState } from '../workspace/uiState';
import {
  type ComposerDraft,
  callsDestructiveTool,
  composerDisabledReason,
  createComposer,
  draftOfSaved,
  emptyComposerDraft,
  heldReason,
  savedOf,
} from './composer';
import { createExchanges } from './exchanges';

const A = 'a' as ServerId;
const B = 'b' as ServerId;
const SEQ = '7' as Seq;
const RECORDED: TrafficMessageResponse = {
  serverId: A,
  text: '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"t","n":1.10}}',
  requestMethod: 'tools/call',
  paramsJson: '{"name":"t","n":1.10}',
  redactions: 2,
};

function setUp(answers: ConstructorParameters<typeof ScriptedHost>[0] = {}) {
  const host = new ScriptedHost({ traffic_message: () => RECORDED, ...answers });
  const composer = createComposer(
    host,
    createExchanges(
      host,
      () => 1000,
      () => {},
    ),
  );
  return { host, composer };
}

describe('createComposer', () => {
  it('sends a request with its params as written, related to the record that it repeats', async () => {
    const { host, composer } = setUp();
    expect(await composer.load(SEQ)).toBe(A);
    expect(composer.getState()[A]).toMatchObject({
      mode: 'request',
      method: 'tools/call',
      params: '{"name":"t","n":1.10}',
      repeats: SEQ,
      masked: 2,
    });
    await composer.send(A);
    expect(host.stream('request_send').params).toEqual({
      serverId: A,
      method: 'tools/call',
      paramsJson: '{"name":"t","n":1.10}',
      timeouts: null,
      repeats: SEQ,
    });
  });

  it('loads what is not a request, and a request with other params, as a whole message', async () => {
    for (const recorded of [
      { ...RECORDED, requestMethod: null, paramsJson: null },
      { ...RECORDED, paramsJson: '[1]' },
    ]) {
      const { host, composer } = setUp({
        traffic_message: () => recorded,
        message_send: () => ({ seq: '9' as Seq }),
      });
      await composer.load(SEQ, B);
      expect(composer.getState()[B]).toMatchObject({ mode: 'message', message: RECORDED.text });
      await composer.send(B);
      expect(host.calls.at(-1)).toEqual({
        name: 'message_send',
        params: { serverId: B, text: RECORDED.text, repeats: SEQ },
      });
      expect(composer.getState()[B]).toMatchObject({ sent: '9', sending: false, error: null });
    }
  });

  it('keeps the message and shows why it was not sent', async () => {
    const { composer } = setUp({
      message_send: () =>
        new CommandFailure({ code: 'notConnected', message: 'The server is not connected.', detail: null }),
    });
    composer.change(A, { mode: 'message', message: 'x' });
    await composer.send(A);
    expect(composer.getState()[A]).toMatchObject({
      message: 'x',
      sending: false,
      sent: null,
      error: { code: 'notConnected' },
    });
  });

  it('keeps what was typed and is nowhere else when other text takes its place', async () => {
    const { composer } = setUp();
    const draft = () => composer.getState()[A];
    composer.setMethod(A, 'tools/call');
    composer.change(A, { params: '{"typed":1}' });
    await composer.load(SEQ);
    composer.replace(A, draftOfSaved({ name: 'a', mode: 'request', method: 'ping', text: '' }));
    expect(draft()).toMatchObject({ method: 'ping', params: '', replaced: { params: '{"typed":1}' } });
    composer.restore(A);
    expect(draft()).toMatchObject({ method: 'tools/call', params: '{"typed":1}', replaced: null });
    composer.change(A, { mode: 'message', message: '{"also":"typed"}' });
    composer.change(A, { mode: 'request' });
    await composer.load(SEQ);
    expect(draft()?.replaced).toMatchObject({ message: '{"also":"typed"}' });
  });

  it('keeps what was written after a replacement when the earlier text is brought back, and several replaced texts', async () => {
    const { composer } = setUp();
    const draft = () => composer.getState()[A];
    const write = (text: string) => composer.change(A, { mode: 'message', message: text });
    write('first');
    await composer.load(SEQ);
    write('second');
    await composer.load(SEQ);
    expect(draft()?.replaced).toMatchObject({ message: 'second', replaced: { message: 'first' } });
    write('third');
    composer.restore(A);
    expect(draft()).toMatchObject({
      message: 'second',
      replaced: { message: 'third', replaced: { message: 'first' } },
    });
    for (let n = 0; n < 9; n++) {
      write(`more ${n}`);
      await composer.load(SEQ);
    }
    let kept = 0;
    for (let each = draft()?.replaced; each; each = each.replaced) kept++;
    expect(kept).toBe(5);
  });

  it('keeps the text of the other mode when that of this one is sent or saved', async () => {
    const { composer } = setUp();
    composer.change(A, { mode: 'message', message: 'typed' });
    composer.change(A, { mode: 'request', method: 'ping', params: '{}' });
    await composer.send(A);
    composer.saved(A);
    await composer.load(SEQ);
    expect(composer.getState()[A]?.replaced).toMatchObject({ message: 'typed' });
  });

  it('shows the outcome of a message only in the draft that it was sent from', async () => {
    let refuse: (error: CommandFailure) => void = () => {};
    const answer = new Promise<never>((_, reject) => (refuse = reject));
    const { composer } = setUp({ message_send: () => answer });
    const draft = () => composer.getState()[A];
    composer.change(A, { mode: 'message', message: 'sent' });
    const sent = composer.send(A);
    composer.replace(A, draftOfSaved({ name: 'a', mode: 'message', method: '', text: 'saved' }));
    refuse(new CommandFailure({ code: 'notConnected', message: 'Not connected.', detail: null }));
    await sent;
    expect(draft()).toMatchObject({ message: 'saved', error: null, sending: false });
    composer.restore(A);
    expect(draft()).toMatchObject({ message: 'sent', sending: false });
  });

  it('keeps no replaced text that was sent, is a template or is a record', async () => {
    const { composer } = setUp();
    const replaced = () => composer.getState()[A]?.replaced;
    composer.setMethod(A, 'tools/call');
    await composer.load(SEQ);
    expect(replaced()).toBeNull();
    composer.change(A, { params: '{"typed":1}' });
    await composer.send(A);
    await composer.load(SEQ);
    expect(replaced()).toBeNull();
    await composer.load(SEQ);
    expect(replaced()).toBeNull();
  });

  it('replaces params that nobody has edited when the method changes', () => {
    const { composer } = setUp();
    const params = () => composer.getState()[A]?.params;
    composer.setMethod(A, 'resources/read');
    expect(params()).toContain('"uri"');
    composer.setMethod(A, 'x/unknown');
    expect(params()).toBe('');
    composer.change(A, { params: '{"mine":1}' });
    composer.setMethod(A, 'tools/call');
    expect(params()).toBe('{"mine":1}');
  });
});

describe('composerDisabledReason', () => {
  it('refuses only what cannot be sent', () => {
    const reason = (change: Partial<typeof emptyComposerDraft>, isReady = true) =>
      composerDisabledReason({ ...emptyComposerDraft, ...change }, isReady);
    expect(reason({ method: 'x' }, false)).toMatch('not connected');
    expect(reason({})).toMatch('method');
    expect(reason({ method: 'x', params: '[1]' })).toMatch('JSON object');
    expect(reason({ method: 'x', params: '{' })).toMatch('Raw message');
    expect(reason({ method: 'no such method', params: ' ' })).toBeNull();
    expect(reason({ mode: 'message', message: ' ' })).toMatch('empty');
    expect(reason({ mode: 'message', message: 'not JSON' })).toBeNull();
    const large = 'x'.repeat(1_000_000);
    expect(reason({ method: 'x', params: ` {"x":"${large}"}` })).toBeNull();
    expect(reason({ method: 'x', params: `["${large}"]` })).toMatch('JSON object');
  });
});

it('callsDestructiveTool finds the tool by the name in the params', () => {
  const hints = { ...aTool(0, 'wipe').hints, readOnly: false };
  const tools = [{ item: aTool(0, 'wipe', { hints }) }, { item: aTool(1, 'read') }];
  const calls = (method: string, params: string) =>
    callsDestructiveTool({ ...emptyComposerDraft, method, params }, tools);
  expect(calls('tools/call', '{"name":"wipe"}')).toBe(true);
  expect(calls('tools/call', '{"name":"read"}')).toBe(false);
  expect(calls('tools/call', '{')).toBe(false);
  expect(calls('prompts/get', '{"name":"wipe"}')).toBe(false);
  // Not read, so it may be any tool.
  expect(calls('tools/call', `{"name":"read","x":"${'x'.repeat(1_000_000)}"}`)).toBe(true);
});

it('saved requests survive a restart, and what is not one is dropped', () => {
  const request = savedOf({ ...emptyComposerDraft, method: 'x/y', params: '{"n":1.10}' }, 'Mine');
  const message = savedOf({ ...emptyComposerDraft, mode: 'message', message: 'not JSON' }, 'Raw');
  const stored = { savedRequests: { a: [request, { name: 1 }, message], b: 'no list' } };
  expect(readUiState(JSON.stringify(stored)).savedRequests).toEqual({ a: [request, message], b: [] });
  expect(draftOfSaved(request)).toMatchObject({ mode: 'request', method: 'x/y', params: '{"n":1.10}' });
  expect(draftOfSaved(message)).toMatchObject({ mode: 'message', message: 'not JSON' });
});

it('heldReason says why one click does not send a message again', () => {
  const hints = { ...aTool(0, 'risky').hints, readOnly: false };
  const tools = [{ item: aTool(0, 'safe') }, { item: aTool(1, 'risky', { hints }) }];
  const held = (part: Partial<ComposerDraft>, listed: typeof tools | null = tools) =>
    heldReason({ ...emptyComposerDraft, method: 'tools/call', ...part }, listed);
  expect(held({ params: '{"name":"safe"}' })).toBeNull();
  expect(held({ params: '{"name":"safe"}', masked: 1 })).toMatch(/masked/);
  expect(held({ params: '{"name":"risky"}' })).toMatch(/may be destructive/);
  const long = `{"name":"safe","x":"${'x'.repeat(1_000_000)}"}`;
  expect(held({ params: long })).toMatch(/too long to determine/);
  expect(held({ params: long }, tools.slice(0, 1))).toBeNull();
  // It is not known what the call may do.
  expect(held({ params: '{"name":"other"}' })).toMatch(/the tool it calls is not listed/);
  expect(held({ params: '{"name":"safe"}' }, [])).toMatch(/the tool it calls is not listed/);
  for (const params of ['{"name":"safe"}', long])
    expect(held({ params }, null)).toMatch(/tools of this server could not be listed/);
  expect(held({ method: 'prompts/get', params: '{"name":"other"}' }, null)).toBeNull();
  expect(held({ mode: 'message', message: 'x' }, null)).toBeNull();
  // A batch, or a call whose params are not an object.
  for (const method of ['tools/call', String.raw`tools\/call`, String.raw`tools\u002Fcall`])
    expect(held({ mode: 'message', message: `[{"id":1,"method":"${method}"}]` })).toMatch(/calls a tool/);
});
