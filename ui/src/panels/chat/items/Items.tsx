import { Button } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { type ConversationStore, idOf } from '../../../model/chat/conversation';
import { formatCount } from '../../../model/text/format';
import { Steady } from '../../../widgets/layout/Steady';
import { useFollowedEnd } from '../../../widgets/layout/useFollowedEnd';
import { ConversationItem } from './ConversationItem';
import { LiveAnswerView } from './LiveAnswerView';
import { useItemRange } from './useItemRange';
import classes from './items.module.css';

interface ItemsProps {
  conversation: ConversationStore;
  /** The name of the list. */
  label: string;
  /** What is shown while there are none. */
  empty?: ReactNode;
}

/** The newest items of a conversation, what is arriving, and the way to earlier ones. The end stays in view while it is. */
export function Items({ conversation, label, empty }: ItemsProps) {
  const items = useStore(conversation, (state) => state.items);
  const canGoOn = useStore(
    conversation,
    ({ summary }) => summary?.phase === 'idle' && summary.readOnly === null,
  );
  const isIdle = useStore(conversation, ({ summary }) => summary === undefined || summary.phase === 'idle');
  const turns = useStore(conversation, (state) => state.turns);
  const isLive = useStore(conversation, (state) => state.live !== null);
  const { box, content, onScroll, leave } = useFollowedEnd(isIdle, turns);

  const range = useItemRange(conversation, box, leave);
  const { first, end, found } = range;
  const last = items.at(-1);
  return (
    // A region that scrolls takes the focus, so that the keys scroll it.
    <div
      ref={box}
      className={classes.scroller}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="log"
      aria-label={label}
      aria-live="off"
      onScroll={onScroll}
    >
      <div ref={content} className={classes.items}>
        {items.length === 0 && !isLive && empty}
        {first > 0 && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={<IconArrowUp size={14} />}
            onClick={() => {
              leave();
              range.showEarlier();
            }}
          >
            Show earlier ({formatCount(first)} more)
          </Button>
        )}
        <Steady>
          {items.slice(first, end).map((item) => {
            const id = idOf(item);
            return (
              // Takes the focus when it is looked for from elsewhere.
              <div
                key={id}
                className={classes.item}
                data-item={id}
                data-found={id === found}
                tabIndex={-1}
                onBlur={range.forget}
              >
                <ConversationItem item={item} isLast={item === last && canGoOn} conversation={conversation} />
              </div>
            );
          })}
        </Steady>
        {end < items.length && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={<IconArrowDown size={14} />}
            onClick={range.showLater}
          >
            Show later ({formatCount(items.length - end)} more)
          </Button>
        )}
        <LiveAnswerView conversation={conversation} />
      </div>
    </div>
  );
}
