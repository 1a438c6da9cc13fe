import { Button } from '@mantine/core';
import { useStore } from 'zustand';
import type { ConversationStore } from '../../../model/chat/conversation';
import { formatCount } from '../../../model/text/format';
import classes from './items.module.css';

/** What can be done with all calls that wait, when there are several. */
export function WaitingCalls({ conversation }: { conversation: ConversationStore }) {
  const items = useStore(conversation, (state) => state.items);
  const hasMany = useStore(conversation, (state) => (state.summary?.waiting ?? 0) > 1);
  if (!hasMany) return null;
  const calls = items.flatMap((item) =>
    item.type === 'call' && item.call.state === 'waiting' ? [item.call.id] : [],
  );
  return (
    <div className={classes.waitingBar} role="group" aria-label="All waiting calls">
      <span>{formatCount(calls.length, 'call')} waiting for you</span>
      <span className={classes.grow} />
      <Button
        size="compact-sm"
        variant="default"
        onClick={() =>
          void conversation.run('chat_decide', { calls, decision: { type: 'deny', reason: '' } })
        }
      >
        Deny all
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        onClick={() =>
          void conversation.run('chat_decide', {
            calls,
            decision: { type: 'run', editedJson: null, remember: null },
          })
        }
      >
        Run all {calls.length}
      </Button>
    </div>
  );
}
