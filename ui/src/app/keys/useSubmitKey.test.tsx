// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { useSubmitKey } from './useSubmitKey';

function Forms({ isDisabled = false, onSubmit }: { isDisabled?: boolean; onSubmit: () => void }) {
  useSubmitKey();
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <textarea aria-label="Text" />
        <textarea aria-label="Text with its own keys" onKeyDown={(event) => event.preventDefault()} />
        <button type="submit" disabled={isDisabled}>
          Save
        </button>
      </form>
      <textarea aria-label="Outside" />
    </>
  );
}

const press = (name: string, more: KeyboardEventInit = {}): boolean =>
  fireEvent.keyDown(screen.getByRole('textbox', { name }), { key: 'Enter', ctrlKey: true, ...more });

it('Ctrl-Enter and Cmd-Enter in a form submit it, once while they are held', () => {
  const onSubmit = vi.fn<() => void>();
  render(<Forms onSubmit={onSubmit} />);
  expect(press('Text')).toBe(false);
  expect(press('Text', { repeat: true })).toBe(false);
  expect(onSubmit).toHaveBeenCalledTimes(1);
  press('Text', { ctrlKey: false, metaKey: true });
  expect(onSubmit).toHaveBeenCalledTimes(2);
});

it('nothing is submitted by Enter alone, within a composition, outside of a form, or where the key has a meaning', () => {
  const onSubmit = vi.fn<() => void>();
  render(<Forms onSubmit={onSubmit} />);
  expect(press('Text', { ctrlKey: false })).toBe(true);
  press('Text', { isComposing: true });
  press('Text with its own keys');
  expect(press('Outside')).toBe(true);
  expect(onSubmit).not.toHaveBeenCalled();
});

it('a form whose button is disabled is not submitted', () => {
  const onSubmit = vi.fn<() => void>();
  render(<Forms isDisabled onSubmit={onSubmit} />);
  press('Text');
  expect(onSubmit).not.toHaveBeenCalled();
});
