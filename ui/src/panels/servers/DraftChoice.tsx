import { Checkbox, Stack } from '@mantine/core';
import type { ServerDraft } from '../../contract/generated';
import { reachedBy } from '../../model/servers/serverForm';

interface DraftChoiceProps {
  drafts: ServerDraft[];
  /** Their indexes in `drafts`. */
  chosen: ReadonlySet<number>;
  /** Whether one was added already, before another one failed. */
  isAdded: (draft: ServerDraft) => boolean;
  onChosen: (chosen: ReadonlySet<number>) => void;
}

/** Which of several pasted servers to add. */
export function DraftChoice({ drafts, chosen, isAdded, onChosen }: DraftChoiceProps) {
  function toggle(i: number): void {
    const next = new Set(chosen);
    if (!next.delete(i)) next.add(i);
    onChosen(next);
  }

  return (
    <Stack gap="xs" role="group" aria-label="Servers to add" mah={320} style={{ overflow: 'auto' }}>
      {drafts.map((draft, i) => (
        <Checkbox
          key={draft.name}
          label={draft.name}
          description={
            isAdded(draft) ? 'Added' : <span className="pb-mono">{reachedBy(draft.transport)}</span>
          }
          checked={chosen.has(i) || isAdded(draft)}
          disabled={isAdded(draft)}
          onChange={() => toggle(i)}
        />
      ))}
    </Stack>
  );
}
