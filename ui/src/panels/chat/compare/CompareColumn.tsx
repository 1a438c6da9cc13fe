import { Checkbox, Popover } from '@mantine/core';
import { IconArrowRight, IconServer2, IconX } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { fullName } from '../../../model/connection/serverName';
import { turnCostOf } from '../../../model/chat/compare';
import type { ConversationStore } from '../../../model/chat/conversation';
import { formatCount, formatDuration } from '../../../model/text/format';
import { useModel, useServers } from '../../../model/workspace/context';
import { IconButton } from '../../../widgets/controls/IconButton';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { ManualAnswer } from '../composer/ManualAnswer';
import { Items } from '../items/Items';
import { WaitingCalls } from '../items/WaitingCalls';
import { AnswersChoice } from '../settings/AnswersChoice';
import classes from './compare.module.css';

/** A conversation among those that get the same prompt. */
export function CompareColumn({ conversation, number }: { conversation: ConversationStore; number: number }) {
  const { compare, ui } = useModel();
  const phase = useStore(conversation, (state) => state.summary?.phase);
  const error = useStore(conversation, (state) => state.error);
  return (
    <section className={classes.column} aria-label={`Column ${number}`}>
      <div className={classes.head}>
        <AnswersChoice conversation={conversation} />
        <span className="pb-grow" />
        <ServersMenu conversation={conversation} />
        <IconButton
          size="sm"
          icon={IconArrowRight}
          label="Open as a conversation"
          onClick={() => {
            ui.setState({ selectedChat: conversation.chatId });
            compare.hide();
          }}
        />
        <IconButton
          size="sm"
          icon={IconX}
          label="Remove column"
          onClick={() => compare.remove(conversation.chatId)}
        />
      </div>
      <Cost conversation={conversation} />
      <Items conversation={conversation} label={`Messages in column ${number}`} />
      <WaitingCalls conversation={conversation} />
      {error !== null && <CommandAlert error={error} inPane onClose={() => conversation.dismissError()} />}
      {phase === 'writing' && <ManualAnswer conversation={conversation} />}
    </section>
  );
}

/** What the newest turn took: what columns are compared by. */
function Cost({ conversation }: { conversation: ConversationStore }) {
  const items = useStore(conversation, (state) => state.items);
  const phase = useStore(conversation, (state) => state.summary?.phase);
  const cost = useMemo(() => turnCostOf(items), [items]);
  if (cost === null) return null;
  const tokens = cost.inputTokens + cost.outputTokens;
  const calls = cost.calls.map(({ alias, count }) => (count === 1 ? alias : `${alias} ×${count}`));
  return (
    <p className={classes.cost} role="group" aria-label="Turn summary">
      {[
        phase === 'idle' ? formatDuration(cost.ms) : `${formatDuration(cost.ms)} so far`,
        tokens === 0
          ? 'tokens not counted'
          : `${formatCount(cost.inputTokens, 'token')} in, ${formatCount(cost.outputTokens)} out`,
        cost.answers === 0 ? 'no answer' : formatCount(cost.answers, 'answer'),
        calls.length === 0 ? 'no calls' : `calls: ${calls.join(', ')}`,
      ].join(' · ')}
    </p>
  );
}

/** Whose tools this column gets. */
function ServersMenu({ conversation }: { conversation: ConversationStore }) {
  const all = useServers((state) => state.items) ?? [];
  const [isOpen, setOpen] = useState(false);
  const chosen = useStore(conversation, (state) => state.settings?.servers) ?? [];
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <IconButton
          size="sm"
          icon={IconServer2}
          label={`Servers of this column (${formatCount(chosen.length, 'server')})`}
          onClick={() => setOpen(!isOpen)}
        />
      </Popover.Target>
      <Popover.Dropdown>
        <div className={classes.servers} role="group" aria-label="Servers of this column">
          {all.length === 0 && <span className={classes.facts}>No servers</span>}
          {all.map((server) => {
            const { id } = server;
            const isChosen = chosen.includes(id);
            return (
              <Checkbox
                key={id}
                size="xs"
                label={fullName(server)}
                checked={isChosen}
                onChange={() =>
                  void conversation.set({
                    servers: isChosen ? chosen.filter((each) => each !== id) : [...chosen, id],
                  })
                }
              />
            );
          })}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
