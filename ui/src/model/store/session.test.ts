// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import type { ExchangeId, Seq, ServerId } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { exchangesOf } from '../exchange/exchanges';
import { DEFAULT_OPTIONS, type ToolRequest, toolKey } from '../exchange/request';
import { createModel } from '../workspace/context';
import { restoreSession, saveSession } from './session';

const SERVER = 's' as ServerId;
const KEY = toolKey(SERVER, 't');
const REQUEST: ToolRequest = {
  type: 'tool',
  name: 't',
  argumentsJson: '{"n":1.10}',
  options: DEFAULT_OPTIONS,
};

/** A page that has begun, with what the page before it has kept. */
function page() {
  const host = new ScriptedHost({});
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
