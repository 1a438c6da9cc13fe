import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { onceUndisturbed, watchTyping } from './disturbance';

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

test('what disturbs nobody is done at once', () => {
  const act = vi.fn();
  onceUndisturbed(act);
  expect(act).toHaveBeenCalledTimes(1);
});

test('what a dialog on its way out holds up is done once it is gone, and once', () => {
  const act = vi.fn();
  const dialog = openDialog();
  onceUndisturbed(act);
  vi.advanceTimersByTime(5_000);
  expect(act).not.toHaveBeenCalled();
  dialog.remove();
  vi.advanceTimersByTime(5_000);
  expect(act).toHaveBeenCalledTimes(1);
});

test('somebody in the middle of a word is waited for', () => {
  const act = vi.fn();
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'a' }));
  onceUndisturbed(act);
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2_000);
  expect(act).toHaveBeenCalledTimes(1);
});

test('what is not wanted any more is not done', () => {
  const act = vi.fn();
  const dialog = openDialog();
  const cancel = onceUndisturbed(act);
  cancel();
  dialog.remove();
  vi.advanceTimersByTime(5_000);
  expect(act).not.toHaveBeenCalled();
});
