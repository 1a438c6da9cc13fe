import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { ChatLocateResponse } from '../../../contract/generated';
import { type ConversationStore, idOf } from '../../../model/chat/conversation';
import { useModel } from '../../../model/workspace/context';

/** How many items are drawn at first, and how many more at a time: a conversation may have tens of thousands. */
const PAGE = 100;

/** Which items are drawn: the newest, or those around one that was looked for. */
export interface ItemRange {
  first: number;
  /** After the last one that is drawn. */
  end: number;
  /** The item that was looked for; until something else takes the focus. */
  found: string | null;
  showEarlier: () => void;
  showLater: () => void;
  forget: () => void;
}

interface Shown {
  /** How many, before `until`. */
  most: number;
  /** Null: up to the end. */
  until: number | null;
  found: string | null;
}

const NEWEST: Shown = { most: PAGE, until: null, found: null };

/** Draws the newest items, and brings one into view that is looked for from elsewhere. `box` scrolls them. */
export function useItemRange(
  conversation: ConversationStore,
  box: RefObject<HTMLElement | null>,
  /** Called before another item than the last is brought into view. */
  onLeave: () => void,
): ItemRange {
  const { chats } = useModel();
  const items = useStore(conversation, (state) => state.items);
  const isIdle = useStore(conversation, (state) => state.summary?.phase === 'idle');
  const wanted = useStore(chats, (state) =>
    state.wanted?.chatId === conversation.chatId ? state.wanted : null,
  );
  const [{ most, until, found }, setShown] = useState<Shown>(NEWEST);
  const end = Math.min(items.length, until ?? Infinity);
  const first = Math.max(0, end - most);

  /** What was looked for when its branch was asked for. */
  const branchOf = useRef<ChatLocateResponse | null>(null);

  // A turn that begins shows its end.
  const [wasIdle, setWasIdle] = useState(isIdle);
  if (isIdle !== wasIdle) {
    setWasIdle(isIdle);
    if (!isIdle && until !== null) setShown(NEWEST);
  }

  useLayoutEffect(() => {
    if (wanted === null) return;
    const { item } = wanted;
    if (item === null) {
      // The answer still arrives.
      chats.want(null);
      setShown(NEWEST);
      return;
    }
    const at = items.findIndex((each) => idOf(each) === item);
    if (at < 0) {
      // It is of another branch: once that is shown, the items change.
      if (branchOf.current === wanted) return;
      branchOf.current = wanted;
      void conversation.run('chat_branch', { item }).then((isShown) => !isShown && chats.want(null));
      return;
    }
    if (at < first || at >= end) {
      const last = at + PAGE / 2;
      setShown({ most: PAGE, until: last >= items.length ? null : last, found: null });
      return;
    }
    chats.want(null);
    onLeave();
    setShown((old) => ({ ...old, found: item }));
    const drawn = box.current?.querySelectorAll<HTMLElement>('[data-item]') ?? [];
    const element = [...drawn].find(({ dataset }) => dataset.item === item);
    element?.focus({ preventScroll: true });
    const show = (): void => element?.scrollIntoView({ block: 'center' });
    show();
    // What comes into sight is laid out only then.
    requestAnimationFrame(show);
    // oxlint-disable-next-line react/exhaustive-deps -- only another item, or its coming, shows anything
  }, [wanted, items, first, end]);

  return {
    first,
    end,
    found,
    showEarlier: () => setShown((old) => ({ ...old, most: old.most + PAGE })),
    showLater: () =>
      setShown((old) => {
        const last = (old.until ?? items.length) + PAGE;
        return { ...old, most: old.most + PAGE, until: last >= items.length ? null : last };
      }),
    forget: () => setShown((old) => (old.found === null ? old : { ...old, found: null })),
  };
}
