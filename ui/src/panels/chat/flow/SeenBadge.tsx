import { IconEye } from '@tabler/icons-react';
import { useStore } from 'zustand';
import type { ConversationStore } from '../../../model/chat/conversation';
import { inWords, namesOf, seenBy } from '../../../model/chat/flow';
import classes from './flow.module.css';

interface SeenBadgeProps {
  /** The id of the item. */
  id: string;
  conversation: ConversationStore;
  /** Of a call that was sent: its server, which got the arguments. */
  server?: string | undefined;
}

/** Which models and servers were sent an item. */
export function SeenBadge({ id, conversation, server }: SeenBadgeProps) {
  // Texts, so that it is drawn again only when they change.
  const label = useStore(conversation, ({ items, seen }) => {
    const names = [...(server === undefined ? [] : [server]), ...namesOf(seenBy(id, items, seen))];
    return names.length === 0 ? 'Not sent yet' : `Sent to ${[...new Set(names)].join(', ')}`;
  });
  const words = useStore(conversation, ({ items, seen }) => {
    const got = server === undefined ? [] : [`${server} received the arguments.`];
    return [...got, inWords(seenBy(id, items, seen))].filter(Boolean).join('\n');
  });
  return (
    <span
      className={classes.seen}
      role="note"
      // Its tip is for the keyboard too.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      data-tip={words || undefined}
    >
      <IconEye size={12} aria-hidden />
      <span className={classes.names}>{label}</span>
    </span>
  );
}
