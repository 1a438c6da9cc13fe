import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { ChatDecision } from '../../../contract/generated';
import type { ConversationStore } from '../../../model/chat/conversation';
import { changedCalls, reasonedCalls, waitingCalls, withoutDecided } from '../../../model/chat/unsent';
import { reachOf } from '../../../model/connection/isOpen';
import { formatCount } from '../../../model/text/format';
import { parseJson } from '../../../model/text/json';
import { useModel, useServers } from '../../../model/workspace/context';
import { useUnsent } from '../useUnsent';
import classes from './items.module.css';

/** The decision about one of the calls, where it differs from that about the others. */
interface OwnDecision {
  id: string;
  decision: ChatDecision;
}

const run = (editedJson: string | null): ChatDecision => ({ type: 'run', editedJson, remember: null });
const deny = (reason: string): ChatDecision => ({ type: 'deny', reason });

/** What can be done with all calls that wait, when there are several. What was begun about a call is kept until it is decided. */
export function WaitingCalls({ conversation }: { conversation: ConversationStore }) {
  const { chats } = useModel();
  const { chatId } = conversation;
  const items = useStore(conversation, (state) => state.items);
  const hasMany = useStore(conversation, (state) => (state.summary?.waiting ?? 0) > 1);
  const unsent = useUnsent(chatId, (all) => all);
  const isReached = useServers(({ items: servers }) =>
    waitingCalls(items).every(({ serverId }) => reachOf(servers, serverId) === 'ready'),
  );
  useEffect(() => chats.keep(chatId, (old) => withoutDecided(old, items)), [chats, chatId, items]);
  if (!hasMany) return null;
  const calls = waitingCalls(items).map(({ id }) => id);
  const changed = changedCalls(unsent, items);
  const isValid = changed.every((each) => parseJson(each.changed).ok);

  const decide = (ids: readonly string[], decision: ChatDecision): Promise<boolean> =>
    conversation.run('chat_decide', { calls: [...ids], decision });
  /** The calls with a decision of their own first. If one of them is refused, the others still wait. */
  async function decideAll(own: readonly OwnDecision[], decision: ChatDecision): Promise<void> {
    const rest = new Set(calls);
    for (const each of own) {
      if (!(await decide([each.id], each.decision))) return;
      rest.delete(each.id);
    }
    if (rest.size > 0) await decide([...rest], decision);
  }
  const runAll = (): Promise<void> =>
    decideAll(
      changed.map(({ call: { id }, changed: editedJson }) => ({ id, decision: run(editedJson) })),
      run(null),
    );
  const denyAll = (): Promise<void> =>
    decideAll(
      reasonedCalls(unsent, items).map(({ call: { id }, reason }) => ({ id, decision: deny(reason) })),
      deny(''),
    );

  return (
    <div className={classes.waitingBar} role="group" aria-label="All waiting calls">
      <span>{formatCount(calls.length, 'call')} waiting for you</span>
      <span className="pb-grow" />
      <Button size="compact-sm" variant="default" onClick={() => void denyAll()}>
        Deny all
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        disabled={!isValid || !isReached}
        data-tip={
          !isValid
            ? 'The changed arguments of a call are not valid JSON'
            : isReached
              ? undefined
              : 'The server of a call is not connected'
        }
        onClick={() => void runAll()}
      >
        Run all {calls.length}
      </Button>
    </div>
  );
}
