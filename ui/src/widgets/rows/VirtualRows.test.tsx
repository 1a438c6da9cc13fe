import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { initialAppearance } from '../../model/workspace/uiState/appearance';
import { sizes, sizesOf } from '../../model/workspace/uiState/sizes';
import { VirtualRows, type VirtualRowsProps } from './VirtualRows';

const ROW = 20;
/** The layout of a browser, in px. */
let layout = { clientHeight: 0, scrollHeight: 0 };

type Revealed = NonNullable<VirtualRowsProps['reveal']>;

interface RowsProps {
  count?: number;
  appended?: number;
  generation?: string;
  revealed?: Revealed | null;
}

function Rows({ count = 100, appended = count, generation = '1', revealed = null }: RowsProps) {
  const [isFollowing, setFollow] = useState(true);
  // What is revealed ends following at once.
  const follow = isFollowing && revealed === null;
  return (
    <VirtualRows
      label="Log"
      count={count}
      appended={appended}
      rowSize="row-code"
      onRange={() => {}}
      generation={generation}
      selected={null}
      onSelect={() => {}}
      follow={follow}
      onFollow={setFollow}
      reveal={revealed}
      empty={null}
    >
      {(index) => index}
    </VirtualRows>
  );
}

/** A list of 100 rows at its end, in a pane of 200 px; it follows its end while new rows are not counted. */
function open() {
  layout = { clientHeight: 200, scrollHeight: 100 * ROW };
  const rows = (props: RowsProps) => (
    <MantineProvider env="test">
      <Rows {...props} />
    </MantineProvider>
  );
  const { rerender } = render(rows({}));
  const list = screen.getByRole('listbox');
  for (const name of ['clientHeight', 'scrollHeight'] as const) {
    Object.defineProperty(list, name, { get: () => layout[name] });
  }
  act(() => void vi.runAllTimers());
  list.scrollTop = 100 * ROW - 200;
  fireEvent.scroll(list);
  return {
    list,
    show: (props: RowsProps): void => rerender(rows(props)),
    newRows: (): string | null => screen.queryByRole('button', { name: /new$/ })?.textContent ?? null,
    isFollowing: (): boolean => {
      rerender(rows({ count: 130 }));
      return screen.queryByRole('button', { name: '30 new' }) === null;
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers();
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  };
});

it('follows its end although the browser moves it when its pane becomes higher', () => {
  const { list, isFollowing } = open();
  // The pane grows, the browser clamps the position, and rows arrive before it reports that.
  layout = { clientHeight: 500, scrollHeight: 130 * ROW };
  list.scrollTop = 100 * ROW - 500;
  fireEvent.scroll(list);
  expect(list.scrollTop).toBe(130 * ROW - 500);
  expect(isFollowing()).toBe(true);
});

it('follows its end although rows go', () => {
  const { list, isFollowing } = open();
  layout = { clientHeight: 200, scrollHeight: 50 * ROW };
  list.scrollTop = 30 * ROW;
  fireEvent.scroll(list);
  expect(isFollowing()).toBe(true);
});

it('stops following when the user scrolls up, also while rows come', () => {
  const { list, isFollowing } = open();
  layout = { clientHeight: 200, scrollHeight: 130 * ROW };
  list.scrollTop -= 60;
  fireEvent.scroll(list);
  expect(isFollowing()).toBe(false);
});

it('counts new rows at its end, not those put before the others, and none of other rows', () => {
  const { list, show, newRows } = open();
  layout = { clientHeight: 200, scrollHeight: 130 * ROW };
  list.scrollTop -= 60;
  fireEvent.scroll(list);
  show({ count: 130, appended: 100 });
  expect(newRows()).toBeNull();
  show({ count: 150, appended: 103 });
  expect(newRows()).toBe('3 new');
  show({ count: 900, appended: 900, generation: '2' });
  expect(newRows()).toBeNull();
  show({ count: 904, appended: 904, generation: '2' });
  expect(newRows()).toBe('4 new');
});

/** Tells each list its height. */
function measure(): void {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(200);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly #tell: () => void;
      constructor(tell: () => void) {
        this.#tell = tell;
      }
      observe(): void {
        this.#tell();
      }
      disconnect(): void {}
    },
  );
}

it('goes from its end to a row at its beginning', () => {
  measure();
  const { list, show } = open();
  show({ revealed: { index: 8 } });
  expect(list.scrollTop).toBe(8.5 * ROW - 100);
});

it('keeps a row in its place when others are put before it, and does not go to one that is not in view', () => {
  measure();
  const { list, show } = open();
  show({ revealed: { index: 8 } });
  const top = list.scrollTop;
  layout = { clientHeight: 200, scrollHeight: 130 * ROW };
  show({ count: 130, revealed: { index: 38, from: 8 } });
  expect(list.scrollTop).toBe(top + 30 * ROW);
  show({ count: 130, revealed: { index: 102, from: 101 } });
  expect(list.scrollTop).toBe(top + 30 * ROW);
});

it('has a row at the top, or as near as its end allows', () => {
  measure();
  const { list, show } = open();
  show({ revealed: { index: 8 } });
  show({ revealed: { index: 30, isFirst: true } });
  expect(list.scrollTop).toBe(30 * ROW);
  show({ revealed: { index: 95, isFirst: true } });
  expect(list.scrollTop).toBe(100 * ROW - 200);
});

it('keeps its first row the first when the rows become higher', () => {
  const { list } = open();
  list.scrollTop -= 600;
  fireEvent.scroll(list);
  const first = list.scrollTop / ROW;
  act(() => sizes.setState(sizesOf({ ...initialAppearance, codeFontPx: 18 })));
  const [option] = screen.getAllByRole('option');
  expect(option?.style.height).toBe('29px');
  expect(list.scrollTop / 29).toBe(first);
  act(() => sizes.setState(sizesOf(initialAppearance)));
  expect(list.scrollTop / ROW).toBe(first);
});
