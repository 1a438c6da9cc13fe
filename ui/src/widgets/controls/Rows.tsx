import { Button, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';

/** How a row changes its value. */
export interface RowActions<T> {
  onChange: (value: T) => void;
  onRemove: () => void;
}

interface RowsProps<T> {
  rows: readonly T[];
  onChange: (rows: T[]) => void;
  /** The noun on the Add button, e.g. `header`. */
  noun: string;
  /** The value of a new row. */
  blank: T;
  /** Renders one row. */
  children: (value: T, index: number, actions: RowActions<T>) => ReactNode;
}

/** A list of values, each edited in place, and a button that adds one. */
export function Rows<T>({ rows, onChange, noun, blank, children }: RowsProps<T>) {
  const { ids, change } = useRowIds(rows, onChange);
  const list = useRef<HTMLDivElement>(null);
  const [removed, setRemoved] = useState<{ index: number } | null>(null);
  useLayoutEffect(() => {
    // The focus was lost with the button of the row: it goes to that of the row at its place.
    if (removed === null || document.activeElement !== document.body) return;
    const items = [...(list.current?.children ?? [])];
    const row = items[Math.min(removed.index, items.length - 2)];
    const next = [...(row?.querySelectorAll('button') ?? [])].at(-1) ?? items.at(-1);
    if (next instanceof HTMLElement) next.focus();
  }, [removed]);
  const remove = (index: number): void => {
    setRemoved({ index });
    change(rows.toSpliced(index, 1), ids.toSpliced(index, 1));
  };
  return (
    <Stack gap={4} ref={list}>
      {rows.map((value, i) => (
        <div key={ids[i]}>
          {children(value, i, {
            onChange: (next) => change(rows.with(i, next), ids),
            onRemove: () => remove(i),
          })}
        </div>
      ))}
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<IconPlus size={14} />}
        onClick={() => change([...rows, blank], ids)}
      >
        Add {noun}
      </Button>
    </Stack>
  );
}

let lastId = 0;
const newId = (): number => {
  lastId += 1;
  return lastId;
};

/**
 * What identifies each row, beside its value: a row keeps its state (such as a secret that is shown) when others are removed,
 * and a value that comes from elsewhere, such as a paste, does not get that of the value it replaces.
 */
function useRowIds<T>(rows: readonly T[], onChange: (rows: T[]) => void) {
  const [known, setKnown] = useState(() => ({ rows, ids: rows.map(newId) }));
  const isKnown = rows.length === known.rows.length && rows.every((row, i) => Object.is(row, known.rows[i]));
  const ids = isKnown
    ? known.ids
    : rows.map((row, i) => (Object.is(row, known.rows[i]) && known.ids[i]) || newId());
  if (!isKnown) setKnown({ rows, ids });
  const change = (next: T[], nextIds: readonly number[]): void => {
    setKnown({ rows: next, ids: next.map((_, i) => nextIds[i] ?? newId()) });
    onChange(next);
  };
  return { ids, change };
}
