import { afterEach, describe, expect, it, vi } from 'vitest';
import { browserNotifier } from './notifier';

afterEach(() => vi.unstubAllGlobals());

/** A browser whose permission is in `browser.permission`; it counts how often that is read. */
function browser() {
  const state = { permission: 'default', reads: 0 };
  vi.stubGlobal('Notification', {
    get permission() {
      state.reads += 1;
      return state.permission;
    },
    requestPermission: () => {
      state.permission = 'granted';
      return Promise.resolve();
    },
  });
  return state;
}

describe('the notifications of a browser', () => {
  it('read the permission once, and again when it may have changed', async () => {
    const state = browser();
    const notifier = browserNotifier();
    expect([notifier?.permission(), notifier?.permission()]).toEqual(['unasked', 'unasked']);
    expect(state.reads).toBe(1);
    await notifier?.request();
    expect(notifier?.permission()).toBe('granted');
    state.permission = 'denied';
    window.dispatchEvent(new Event('focus'));
    expect(notifier?.permission()).toBe('denied');
  });

  it('are not there where the browser has none', () => {
    expect(browserNotifier()).toBeUndefined();
  });
});
