import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Steady } from './Steady';

function open(): (notice: string | null) => void {
  const page = (notice: string | null) => (
    <>
      <Steady>{notice === null ? null : <p role="status">{notice}</p>}</Steady>
      <button type="button">Call</button>
    </>
  );
  const { rerender } = render(page(null));
  return (notice) => rerender(page(notice));
}

const notice = (): string | undefined => screen.queryByRole('status')?.textContent;
const button = (): HTMLElement => screen.getByRole('button');
const moved = (buttons: number): boolean =>
  fireEvent(button(), new MouseEvent('pointermove', { bubbles: true, buttons }));
const later = (): void => act(() => void vi.advanceTimersByTime(0));

describe('Steady', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('shows what is new at once, unless a button of the pointer is down; then after the click', () => {
    const show = open();
    show('one');
    expect(notice()).toBe('one');
    fireEvent.pointerDown(button());
    fireEvent.blur(button());
    later();
    show('two');
    show(null);
    show('three');
    expect(notice()).toBe('one');
    fireEvent.pointerUp(button());
    expect(notice()).toBe('one');
    later();
    expect(notice()).toBe('three');
  });

  it('goes on when the end of a press is not told', () => {
    const show = open();
    for (const [text, end] of [
      ['cancelled', () => fireEvent.pointerCancel(button())],
      ['another window', () => fireEvent.blur(window)],
      ['released outside', () => moved(0)],
    ] as const) {
      fireEvent.pointerDown(button());
      moved(1);
      show(text);
      later();
      expect(notice()).not.toBe(text);
      end();
      later();
      expect(notice()).toBe(text);
    }
  });

  it('of one that appears during a press shows what it has', () => {
    open();
    fireEvent.pointerDown(button());
    render(<Steady>late</Steady>);
    expect(screen.getByText('late')).toBeTruthy();
  });
});
