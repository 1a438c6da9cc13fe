import { Button, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';

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
  return (
    <Stack gap={4}>
      {rows.map((value, i) => (
        // A row is identified by its index.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={i}>
          {children(value, i, {
            onChange: (next) => onChange(rows.with(i, next)),
            onRemove: () => onChange(rows.toSpliced(i, 1)),
          })}
        </div>
      ))}
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...rows, blank])}
      >
        Add {noun}
      </Button>
    </Stack>
  );
}
