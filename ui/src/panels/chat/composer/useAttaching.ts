import { useEffect, useRef, useState } from 'react';
import type { ChatAttachParams } from '../../../contract/generated';
import type { ConversationStore } from '../../../model/chat/conversation';

/** Attaches what is chosen in a menu. A server may take long to give it: chosen again meanwhile, it would be attached twice. */
export interface Attaching {
  /** The name of what is being read. */
  reading: string | null;
  attach: (name: string, params: Omit<ChatAttachParams, 'chatId'>) => Promise<void>;
}

/** `onDone`: it was attached, and the menu is still shown. */
export function useAttaching(conversation: ConversationStore, onDone: () => void): Attaching {
  const [reading, setReading] = useState<string | null>(null);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return {
    reading,
    async attach(name, params) {
      if (reading !== null) return;
      setReading(name);
      const isAttached = await conversation.run('chat_attach', params);
      setReading(null);
      // Otherwise the user is elsewhere, or writes something else.
      if (isAttached && isShown.current) onDone();
    },
  };
}
