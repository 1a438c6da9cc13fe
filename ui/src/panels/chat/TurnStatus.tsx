import { VisuallyHidden } from '@mantine/core';
import { useStore } from 'zustand';
import type { ConversationStore, OpenConversation } from '../../model/chat/conversation';
import { formatCount } from '../../model/text/format';

/** What happened last in a turn, for screen readers: the messages are not read out while they arrive. */
export function TurnStatus({ conversation }: { conversation: ConversationStore }) {
  const words = useStore(conversation, turnWords);
  return (
    <VisuallyHidden>
      <output aria-live="polite">{words}</output>
    </VisuallyHidden>
  );
}

function turnWords({ items, summary, live }: OpenConversation): string {
  const waiting = summary?.waiting ?? 0;
  if (waiting > 0) return `Waiting for you: ${formatCount(waiting, 'call')}`;
  if (live !== null) return `Answering: ${live.by}`;
  const last = items.at(-1);
  if (last?.type === 'answer') return `Answer from ${last.by}`;
  return last?.type === 'notice' ? last.cause : '';
}
