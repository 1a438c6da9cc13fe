import { List } from '@mantine/core';

/** What the user should know, in sentences. */
export function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <List size="xs" c="var(--pb-warn)" className="pb-selectable">
      {notes.map((note) => (
        <List.Item key={note}>{note}</List.Item>
      ))}
    </List>
  );
}
