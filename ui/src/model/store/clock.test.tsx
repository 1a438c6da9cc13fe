import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useElapsed, useRemaining } from './clock';

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

/** What a timer shows, and how often it was rendered. */
function show(useTimer: () => number) {
  const renders: number[] = [];
  function Timer() {
    const ms = useTimer();
    renders.push(ms);
    return <span role="timer">{ms}</span>;
  }
  render(<Timer />);
  const rendersIn = (ms: number): number => {
    const before = renders.length;
    for (let passed = 0; passed < ms; passed += 100) act(() => void vi.advanceTimersByTime(100));
    return renders.length - before;
  };
  return { rendersIn, shown: () => Number(screen.getByRole('timer').textContent) };
}

it('a timer runs in tenths of a second, and from ten seconds on in seconds', () => {
  const { rendersIn, shown } = show(() => useElapsed(1_000_000));
  expect(rendersIn(1000)).toBe(10);
  expect(shown()).toBe(1000);
  rendersIn(9000);
  expect(rendersIn(5000)).toBe(5);
  expect(shown()).toBe(15_000);
});

it('a timer that runs down shows seconds first, and ends at zero', () => {
  const { rendersIn, shown } = show(() => useRemaining(1_015_000));
  expect(rendersIn(3000)).toBe(3);
  expect(shown()).toBe(12_000);
  rendersIn(60_000);
  expect(shown()).toBe(0);
});

it('what has run for long is right from the first picture on', () => {
  vi.setSystemTime(5_000_000);
  expect(show(() => useElapsed(1_000_000)).shown()).toBe(4_000_000);
});
