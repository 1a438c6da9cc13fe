import { useStore } from 'zustand';
import type { ChatId } from '../../contract/generated';
import { NOTHING_UNSENT, type Unsent } from '../../model/chat/unsent';
import { useModel } from '../../model/workspace/context';

/** What the user has begun in a conversation and not sent. */
export function useUnsent(chatId: ChatId): Unsent {
  const { chats } = useModel();
  return useStore(chats, ({ unsent }) => unsent[chatId] ?? NOTHING_UNSENT);
}
