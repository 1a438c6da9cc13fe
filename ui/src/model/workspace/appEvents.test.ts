import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Link } from '../../host/link';
import { ScriptedHost } from '../../host/scripted';
import { createAppEvents } from './appEvents';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  const host = new ScriptedHost();
  const link = new Link();
  const events = createAppEvents(host, link);
  const heard = vi.fn();
  const resynced = vi.fn();
  events.subscribe('servers', heard);
  events.onResync(resynced);
  return { host, link, heard, resynced, opened: () => host.streams('app_watch').length };
}

const DIED = { code: 'internal', message: 'An internal error.', detail: null } as const;

it('go on after the engine has ended them with an error, and what was missed is pulled', () => {
  const { host, heard, resynced, opened } = setUp();
  host.stream('app_watch').end(DIED);
  expect([opened(), resynced.mock.calls.length]).toEqual([1, 0]);
  vi.runAllTimers();
  expect([opened(), resynced.mock.calls.length]).toEqual([2, 1]);
  host.stream('app_watch').emit({ topic: 'servers', serverId: null, revision: 1 });
  expect(heard).toHaveBeenCalledOnce();
});

it('are opened once when the link is lost and up again meanwhile, and not when the engine is closing', () => {
  const { host, link, opened } = setUp();
  host.stream('app_watch').end(DIED);
  link.set('lost');
  link.set('up');
  vi.runAllTimers();
  expect(opened()).toBe(2);
  link.set('lost');
  host.stream('app_watch').end(DIED);
  vi.runAllTimers();
  expect(opened()).toBe(2);
  link.set('up');
  host.stream('app_watch').end();
  vi.runAllTimers();
  expect(opened()).toBe(3);
});
