// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import type { ChatId, ExchangeId, InputId, InputItem, Seq, ServerId } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { withMessage } from '../chat/unsent';
import { exchangesOf } from '../exchange/exchanges';
import { DEFAULT_OPTIONS, type ToolRequest, toolKey } from '../exchange/request';
import { mayKeepDraft } from '../inbox/elicitation/earlierAnswers';
import { input } from '../inbox/inputs.fixture';
import { createModel } from '../workspace/context';
import { newSubscription } from '../workspace/workspace';
import { restoreSession, saveSession } from './session';

const SERVER = 's' as ServerId;
const KEY = toolKey(SERVER, 't');
const REQUEST: ToolRequest = {
  type: 'tool',
  name: 't',
  argumentsJson: '{"n":1.10}',
  options: DEFAULT_OPTIONS,
};

/** The params of an elicitation with one field. */
function asks(field: string): string {
  return `{"message":"Please","requestedSchema":{"type":"object","properties":{"${field}":{"type":"string"}}}}`;
}

/** A page that has begun, with what the page before it has kept; `items` wait for an answer. */
function page(items: readonly InputItem[] = []) {
  const host = new ScriptedHost({
    input_list: () => structuredClone({ items: [...items], withdrawn: [], answered: [] }),
  });
  const model = createModel(host);
  restoreSession(model, sessionStorage);
  return { host, model, reload: () => saveSession(model, sessionStorage) };
}

function ended(host: ScriptedHost, text: string): void {
  host.stream('tool_call').emit({ type: 'started', exchangeId: 'x' as ExchangeId, seq: '1' as Seq });
  host.stream('tool_call').emit({
    type: 'finished',
    outcome: { type: 'notSent', message: text },
    durationMs: 5,
    humanWaitMs: 0,
    requestSeq: '1' as Seq,
    responseSeq: '2' as Seq,
  });
}

describe('a reload', () => {
  beforeEach(() => sessionStorage.clear());

  it('keeps what was typed, by any name', () => {
    const { model, reload } = page();
    model.toolDrafts.change(KEY, { text: '{"a":9007199254740993}', mode: 'json' });
    model.promptViews.setValue(SERVER, 'constructor', '__proto__', 'x');
    model.resourceViews.setDraft(SERVER, 'a:{toString}', 'toString', { kind: 'text', text: 'y' });
    model.resourceViews.toggleFolder(SERVER, 'folder');
    model.composer.change(SERVER, { method: 'ping', sending: true });
    model.workspace.setState({ toolQueries: { [SERVER]: 'find' } });
    reload();
    const after = page().model;
    expect(after.toolDrafts.getState()[KEY]).toMatchObject({ text: '{"a":9007199254740993}', mode: 'json' });
    const prompts = after.promptViews.getState()[SERVER];
    expect(prompts?.drafts.get('constructor')?.values.get('__proto__')).toBe('x');
    const resources = after.resourceViews.getState()[SERVER];
    expect(resources?.drafts['a:{toString}']?.['toString']).toEqual({ kind: 'text', text: 'y' });
    expect(resources?.drafts['toString']).toBeUndefined();
    expect(resources?.closed.has('folder')).toBe(true);
    expect(after.composer.getState()[SERVER]).toMatchObject({ method: 'ping', sending: false });
    expect(after.workspace.getState().toolQueries[SERVER]).toBe('find');
  });

  it('keeps what was written in conversations, and what a subscription is to be for', () => {
    const { model, reload } = page();
    const chat = 'c' as ChatId;
    model.chats.write(chat, 'half a message');
    model.chats.keep(chat, (old) => withMessage(old, 'm', 'edited'));
    model.workspace.setState({ subscriptionDrafts: { [SERVER]: { ...newSubscription, uris: 'file:///a' } } });
    reload();
    const after = page().model;
    expect(after.chats.getState().drafts[chat]).toBe('half a message');
    expect(after.chats.getState().unsent[chat]?.messages['m']).toBe('edited');
    expect(after.workspace.getState().subscriptionDrafts[SERVER]?.uris).toBe('file:///a');
  });

  it('keeps answers that were begun for the requests that still wait, whatever their numbers are then', async () => {
    const items = [
      input('1', { kind: 'sampling', method: 'sampling/createMessage', key: '7' }),
      input('2', { key: '8', paramsJson: asks('city') }),
      input('3', { key: '9', paramsJson: asks('password') }),
    ];
    const before = page(items);
    await before.model.inputs.refresh();
    const [sampling, form, secret] = items.map(({ id }) => id) as [InputId, InputId, InputId];
    before.model.inputs.keepDraft(sampling, '{"role":"assistant"');
    before.model.sampling.edit(sampling, '{"messages":[]}');
    before.model.inputs.keepDraft(form, '{"action":"accept","content":{"city":"Oslo"}}', mayKeepDraft);
    before.model.inputs.keepDraft(
      secret,
      '{"action":"accept","content":{"password":"hunter2"}}',
      mayKeepDraft,
    );
    before.reload();
    expect(sessionStorage.getItem('patchbay.session')).not.toContain('hunter2');

    // Patchbay was started again: the first number is that of another request.
    const [one, two, three] = items as [InputItem, InputItem, InputItem];
    const after = page([
      { ...two, id: '1' as InputId },
      { ...three, id: '2' as InputId },
      { ...one, id: '3' as InputId, waitingSinceMs: one.waitingSinceMs + 1 },
    ]);
    await after.model.inputs.refresh();
    expect(after.model.inputs.getState().drafts).toEqual({
      1: '{"action":"accept","content":{"city":"Oslo"}}',
    });
    expect(after.model.sampling.getState().requests).toEqual({});
    after.reload();
    const same = page([{ ...two, id: '1' as InputId }]);
    same.model.inputs.keepDraft('1' as InputId, 'newer');
    await same.model.inputs.refresh();
    expect(same.model.inputs.getState().drafts).toEqual({ 1: 'newer' });
  });

  it('keeps a request for a model as it was edited', async () => {
    const asked = input('1', { kind: 'sampling', method: 'sampling/createMessage' });
    const before = page([asked]);
    await before.model.inputs.refresh();
    before.model.sampling.edit(asked.id, '{"messages":[]}');
    before.reload();
    const after = page([asked]).model;
    await after.inputs.refresh();
    expect(after.sampling.getState().requests).toEqual({ 1: '{"messages":[]}' });
  });

  it('keeps results, and waits for what is running', () => {
    const { host, model, reload } = page();
    model.exchanges.start(SERVER, REQUEST);
    ended(host, 'first');
    model.exchanges.start(SERVER, REQUEST);
    host.stream('tool_call').emit({ type: 'started', exchangeId: 'y' as ExchangeId, seq: '3' as Seq });
    reload();
    const next = page();
    const { items, shown } = exchangesOf(next.model.exchanges.getState(), KEY);
    expect(items.map(({ outcome }) => outcome?.type)).toEqual([undefined, 'notSent']);
    expect(shown).toBe(items[0]?.id);
    const followed = next.host.stream('exchange_follow');
    expect(followed.params).toEqual({ serverId: SERVER, exchangeId: 'y', seq: '3' });
    followed.emit({
      type: 'finished',
      outcome: { type: 'cancelled' },
      durationMs: 5,
      humanWaitMs: 0,
      requestSeq: '3' as Seq,
      responseSeq: null,
    });
    expect(exchangesOf(next.model.exchanges.getState(), KEY).items[0]?.outcome?.type).toBe('cancelled');
    next.model.exchanges.start(SERVER, REQUEST);
    const ids = exchangesOf(next.model.exchanges.getState(), KEY).items.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
  });

  it('says what may have run when its end cannot be waited for', () => {
    const { host, model, reload } = page();
    model.exchanges.start(SERVER, REQUEST);
    host.stream('tool_call').emit({ type: 'started', exchangeId: 'y' as ExchangeId, seq: '3' as Seq });
    model.exchanges.start(SERVER, REQUEST);
    reload();
    const { exchanges } = page().model;
    const outcomes = () => exchangesOf(exchanges.getState(), KEY).items.map(({ outcome }) => outcome);
    // The first was never told its number.
    expect(outcomes()[0]).toMatchObject({ type: 'connectionLost', mayHaveRun: true });
    expect(outcomes()[1]).toBeNull();
  });

  it('keeps the newest results of what is too much for a tab', () => {
    const { host, model, reload } = page();
    for (const name of ['first', 'second', 'third']) {
      model.exchanges.start(SERVER, REQUEST);
      ended(host, name.padEnd(900_000));
    }
    reload();
    const { items } = exchangesOf(page().model.exchanges.getState(), KEY);
    const words = items.map(({ outcome }) => outcome?.type === 'notSent' && outcome.message.trim());
    expect(words).toEqual(['third', 'second']);
  });

  it('is kept once, and what cannot be read is nothing', () => {
    const { model, reload } = page();
    model.toolDrafts.change(KEY, { text: '{}' });
    reload();
    page();
    expect(page().model.toolDrafts.getState()).toEqual({});
    sessionStorage.setItem('patchbay.session', '{"build":');
    expect(page().model.toolDrafts.getState()).toEqual({});
  });
});
