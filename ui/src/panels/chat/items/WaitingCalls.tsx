import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { ConversationStore } from '../../../model/chat/conversation';
import { changedCalls, waitingCalls, withoutDecided } from '../../../model/chat/unsent';
import { formatCount } from '../../../model/text/format';
import { parseJson } from '../../../model/text/json';
import { useModel } from '../../../model/workspace/context';
import { useUnsent } from '../useUnsent';
import classes from './items.module.css';

/** What can be done with all calls that wait, when there are several. Changed arguments are kept until their call is decided. */
export function WaitingCalls({ conversation }: { conversation: ConversationStore }) {
  const { chats } = useModel();
  const { chatId } = conversation;
  const items = useStore(conversation, (state) => state.items);
  const hasMany = useStore(conversation, (state) => (state.summary?.waiting ?? 0) > 1);
  const unsent = useUnsent(chatId, (all) => all);
  useEffect(() => chats.keep(chatId, (old) => withoutDecided(old, items)), [chats, chatId, items]);
  if (!hasMany) return null;
  const calls = waitingCalls(items).map(({ id }) => id);
  const changed = changedCalls(unsent, items);
  const isValid = changed.every((each) => parseJson(each.changed).ok);

  const run = (ids: string[], editedJson: string | null): Promise<boolean> =>
    conversation.run('chat_decide', { calls: ids, decision: { type: 'run', editedJson, remember: null } });
  /** Those with changes first, each with its own. If one of them is refused, the others still wait. */
  async function runAll(): Promise<void> {
    const rest = new Set(calls);
    for (const { call, changed: editedJson } of changed) {
      if (!(await run([call.id], editedJson))) return;
      rest.delete(call.id);
    }
    if (rest.size > 0) await run([...rest], null);
  }

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
        disabled={!isValid}
        data-tip={isValid ? undefined : 'The changed arguments of a call are not valid JSON'}
        onClick={() => void runAll()}
      >
        Run all {calls.length}
      </Button>
    </div>
  );
}
