// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ConnectionState } from '../../contract/generated';
import { useUnlessBrief } from './connection';
import { connection, server } from '../servers/servers.fixture';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function drawn(first: ConnectionState) {
  const at = (state: ConnectionState) => server('a', connection({ state }));
  const hook = renderHook(useUnlessBrief, { initialProps: at(first) });
  return {
    now: () => hook.result.current.connection.state,
    become: (state: ConnectionState) => hook.rerender(at(state)),
    wait: (ms: number): void => act(() => void vi.advanceTimersByTime(ms)),
  };
}

it('draws a connection being made once that lasts', () => {
  const { now, become, wait } = drawn('idle');
  become('connecting');
  wait(60);
  become('negotiating');
  expect(now()).toBe('idle');
  wait(60);
  expect(now()).toBe('negotiating');
  become('authorizing');
  expect(now()).toBe('authorizing');
});

it('shows the outcome at once, and a server that is selected while it connects', () => {
  const { now, become, wait } = drawn('idle');
  become('connecting');
  become('failed');
  expect(now()).toBe('failed');
  become('connecting');
  expect(now()).toBe('failed');
  wait(100);
  expect(now()).toBe('connecting');
  become('closing');
  expect(now()).toBe('closing');
  expect(drawn('connecting').now()).toBe('connecting');
});
