import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Tips } from './Tips';

function open(): { button: HTMLElement; inner: HTMLElement } {
  render(
    <MantineProvider env="test">
      <button type="button" data-tip="Says it">
        <i>x</i>
      </button>
      <Tips />
    </MantineProvider>,
  );
  return { button: screen.getByRole('button'), inner: screen.getByText('x') };
}

const tip = (): HTMLElement | null => screen.queryByRole('tooltip');

describe('Tips', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('appear when the pointer rests on an element with a tip, and disappear when it leaves', () => {
    const { button, inner } = open();
    fireEvent.pointerOver(inner);
    expect(tip()).toBeNull();
    act(() => void vi.advanceTimersByTime(400));
    expect(tip()?.textContent).toBe('Says it');
    expect(button.getAttribute('aria-describedby')).toBe(tip()?.id);
    fireEvent.pointerOver(document.body);
    expect(tip()).toBeNull();
    expect(button.hasAttribute('aria-describedby')).toBe(false);
  });

  it('do not appear when the pointer moved on, was pressed, or Escape was pressed', () => {
    const { inner } = open();
    for (const leave of [
      () => fireEvent.pointerOver(document.body),
      () => fireEvent.pointerDown(inner),
      () => fireEvent.keyDown(document.body, { key: 'Escape' }),
    ]) {
      fireEvent.pointerOver(inner);
      leave();
      act(() => void vi.advanceTimersByTime(1000));
      expect(tip()).toBeNull();
    }
  });

  it('follow changes of the text while they are shown', async () => {
    const { button, inner } = open();
    fireEvent.pointerOver(inner);
    act(() => void vi.advanceTimersByTime(400));
    button.dataset['tip'] = 'Said';
    await act(async () => {});
    expect(tip()?.textContent).toBe('Said');
  });

  it.each([
    ['left', 200 - 5 - 60],
    ['right', 200 + 100 + 5],
    ['', 200 + (100 - 60) / 2],
  ])('are on the side that the element names: %s', (side, left) => {
    const { button, inner } = open();
    if (side !== '') button.dataset['tipSide'] = side;
    button.getBoundingClientRect = () => new DOMRect(200, 100, 100, 20);
    const element = document.querySelector<HTMLElement>('[role=tooltip]');
    if (element !== null) element.getBoundingClientRect = () => new DOMRect(0, 0, 60, 20);
    fireEvent.pointerOver(inner);
    act(() => void vi.advanceTimersByTime(400));
    expect(tip()?.style.transform).toContain(`translate(${left}px,`);
  });
});
