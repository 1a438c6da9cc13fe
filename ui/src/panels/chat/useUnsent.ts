import { useStore } from 'zustand';
import type { ChatId } from '../../contract/generated';
import { NOTHING_UNSENT, type Unsent } from '../../model/chat/unsent';
import { useModel } from '../../model/workspace/context';

/** A part of what the user has begun in a conversation and not sent. */
export function useUnsent<T>(chatId: ChatId, pick: (unsent: Unsent) => T): T {
  const { chats } = useModel();
  return useStore(chats, ({ unsent }) => pick(unsent[chatId] ?? NOTHING_UNSENT));
}
