import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useStore } from 'zustand';
import type { ConversationStore } from '../../../model/chat/conversation';
import { IconButton } from '../../../widgets/controls/IconButton';
import classes from './items.module.css';

/** The switch between the versions of an item; nothing if it has one only. */
export function Versions({ id, conversation }: { id: string; conversation: ConversationStore }) {
  const versions = useStore(
    conversation,
    (state) => state.versions.find(({ item }) => item === id)?.versions,
  );
  const isIdle = useStore(conversation, ({ summary }) => summary?.phase === 'idle');
  if (versions === undefined) return null;
  const at = versions.indexOf(id);
  const show = (version: string | undefined): void => {
    if (version !== undefined) void conversation.run('chat_branch', { item: version });
  };
  return (
    <span className={classes.versions} role="group" aria-label="Versions">
      <IconButton
        size="sm"
        icon={IconChevronLeft}
        label="Previous version"
        disabled={!isIdle || at === 0}
        onClick={() => show(versions[at - 1])}
      />
      <span className={classes.facts}>
        {at + 1} of {versions.length}
      </span>
      <IconButton
        size="sm"
        icon={IconChevronRight}
        label="Next version"
        disabled={!isIdle || at === versions.length - 1}
        onClick={() => show(versions[at + 1])}
      />
    </span>
  );
}
