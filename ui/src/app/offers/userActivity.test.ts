// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { whenUserIsIdle, watchTyping } from './userActivity';

let unwatch: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  unwatch = watchTyping();
});

afterEach(() => {
  unwatch();
  vi.useRealTimers();
  document.body.replaceChildren();
});

function openDialog(): HTMLElement {
  const dialog = document.createElement('div');
  dialog.setAttribute('role', 'dialog');
  document.body.append(dialog);
  return dialog;
}

test('acts immediately while the user is idle', () => {
  const act = vi.fn();
  whenUserIsIdle(act);
  expect(act).toHaveBeenCalledTimes(1);
});

test('acts once a closing dialog is gone, and only once', () => {
  const act = vi.fn();
  const dialog = openDialog();
  whenUserIsIdle(act);
  vi.advanceTimersByTime(5_000);
  expect(act).not.toHaveBeenCalled();
  dialog.remove();
  vi.advanceTimersByTime(5_000);
  expect(act).toHaveBeenCalledTimes(1);
});

test('waits while the user types', () => {
  const act = vi.fn();
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'a' }));
  whenUserIsIdle(act);
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2_000);
  expect(act).toHaveBeenCalledTimes(1);
});

test('does not act after it is cancelled', () => {
  const act = vi.fn();
  const dialog = openDialog();
  const cancel = whenUserIsIdle(act);
  cancel();
  dialog.remove();
  vi.advanceTimersByTime(5_000);
  expect(act).not.toHaveBeenCalled();
});
