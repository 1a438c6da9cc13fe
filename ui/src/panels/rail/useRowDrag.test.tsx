import { act, renderHook } from '@testing-library/react';
import type { PointerEvent } from 'react';
import { expect, it, vi } from 'vitest';
import { useRowDrag } from './useRowDrag';

const ROWS = [0, 1, 2];

function open() {
  const list = document.createElement('div');
  list.setPointerCapture = () => {};
  for (const at of [0, 1, 2]) {
    const row = document.createElement('div');
    row.dataset['row'] = '';
    row.getBoundingClientRect = () => new DOMRect(0, at * 20, 100, 20);
    list.append(row);
  }
  const onDrop = vi.fn();
  const { result } = renderHook(() => useRowDrag({ current: list }, ROWS, onDrop));
  const at = (clientY: number, buttons = 1) =>
    ({
      target: list.children[0],
      button: 0,
      buttons,
      pointerType: 'mouse',
      clientX: 5,
      clientY,
    }) as unknown as PointerEvent<HTMLElement>;
  return { result, onDrop, at };
}

it('drops a row where it was let go, also before the last move is drawn', () => {
  const { result, onDrop, at } = open();
  // The handlers as they were drawn before the press.
  const { onPointerDown, onPointerMove, onPointerUp } = result.current.handlers;
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  onPointerDown(at(10));
  onPointerMove(at(30));
  onPointerMove(at(50));
  onPointerUp();
  vi.unstubAllGlobals();
  expect(onDrop.mock.calls).toEqual([[{ from: 0, to: 2 }]]);
});

it('a press that was let go outside of the list begins no drag', () => {
  const { result, onDrop, at } = open();
  const handlers = () => result.current.handlers;
  act(() => handlers().onPointerDown(at(10)));
  act(() => handlers().onPointerMove(at(70, 0)));
  expect(result.current.drag).toBeNull();
  // Another button is no reason to go on.
  act(() => handlers().onPointerMove(at(50, 2)));
  act(() => handlers().onPointerMove(at(50)));
  expect(result.current.drag).toBeNull();
  act(() => handlers().onPointerUp());
  expect(onDrop).not.toHaveBeenCalled();
});
