import { Button, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** What a row does with its value. */
export interface RowActions<T> {
  onChange: (value: T) => void;
  onRemove: () => void;
}

interface RowsProps<T> {
  rows: readonly T[];
  onChange: (rows: T[]) => void;
  /** What one of them is, for the button that adds one: `header`. */
  noun: string;
  /** A new one. */
  blank: T;
  /** Draws one. */
  children: (value: T, index: number, actions: RowActions<T>) => ReactNode;
}

/** Values one below the other, each edited in place, and a button for one more. */
export function Rows<T>({ rows, onChange, noun, blank, children }: RowsProps<T>) {
  return (
    <Stack gap={4}>
      {rows.map((value, i) => (
        // A row is its place.
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
