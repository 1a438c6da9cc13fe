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
  const items = useStore(conversation, (state) => state.items);
  const seen = useStore(conversation, (state) => state.seen);
  const by = seenBy(id, items, seen);
  const names = [...new Set([...(server === undefined ? [] : [server]), ...namesOf(by)])];
  const words = server === undefined ? inWords(by) : `${server} got the arguments.\n${inWords(by)}`;
  return (
    <span className={classes.seen} data-tip={words}>
      <IconEye size={12} aria-hidden />
      <span className={classes.names}>
        {names.length === 0 ? 'Seen by nobody else' : `Seen by ${names.join(', ')}`}
      </span>
    </span>
  );
}
