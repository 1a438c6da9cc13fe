import { Button, NativeSelect, Textarea } from '@mantine/core';
import { IconPlus, IconSend, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { ChatToolsResponse } from '../../../contract/generated';
import type { ConversationStore } from '../../../model/chat/conversation';
import { JsonEditor } from '../../../widgets/code/JsonEditor';
import { IconButton } from '../../../widgets/controls/IconButton';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { skeletonOf } from '../../../model/chat/skeleton';
import { NO_ANSWER, type UnsentAnswer } from '../../../model/chat/unsent';
import { useModel } from '../../../model/workspace/context';
import { useChatTools } from '../useChatTools';
import { useUnsent } from '../useUnsent';
import { StopButton } from './StopButton';
import classes from './composer.module.css';

interface Given {
  alias: string;
  givenJson: string;
}

/** What the model gets: the search tool comes first, if there is one. */
function givenTools(data: ChatToolsResponse | undefined): Given[] {
  if (data === undefined) return [];
  const { tools, search } = data;
  const given = tools.filter(({ included, blocked, offered }) => included && blocked === null && offered);
  return search === null ? given : [search, ...given];
}

/** Where the user answers in place of a model: text, calls of tools, or both. */
export function ManualAnswer({ conversation }: { conversation: ConversationStore }) {
  const { data, error } = useChatTools(conversation);
  const { chats } = useModel();
  const { chatId } = conversation;
  const answer = useUnsent(chatId, (unsent) => unsent.answer);
  const { text, calls } = answer;
  const keep = (part: Partial<UnsentAnswer>): void =>
    chats.keep(chatId, (old) => ({ ...old, answer: { ...old.answer, ...part } }));
  const [chosen, setChosen] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  // At first, and when a call is removed, unless the user is elsewhere: a turn may come here while something else is written.
  useEffect(() => {
    if (document.activeElement === document.body) field.current?.focus();
  }, [calls.length]);
  const tools = givenTools(data);
  const canSend = text.trim() !== '' || calls.length > 0;
  const alias = tools.some((tool) => tool.alias === chosen) ? chosen : (tools[0]?.alias ?? '');

  function add(): void {
    const tool = tools.find((each) => each.alias === alias);
    if (tool === undefined) return;
    keep({ calls: [...calls, { alias: tool.alias, argumentsJson: skeletonOf(tool.givenJson) }] });
  }
  async function send(): Promise<void> {
    if (!canSend || !(await conversation.run('chat_write', { text, calls: [...calls] }))) return;
    // What was written meanwhile is the next answer.
    chats.keep(chatId, (old) => (old.answer === answer ? { ...old, answer: NO_ANSWER } : old));
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      event.stopPropagation();
      void send();
    }
  }

  return (
    // Ctrl-Enter reaches it from its fields.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      className={classes.composer}
      role="group"
      aria-label="Answer in place of the model"
      onKeyDown={onKeyDown}
    >
      <p className={classes.hint}>You play the model: answer, call tools, or both.</p>
      {error !== null && <CommandAlert error={error} />}
      {calls.map((call, at) => (
        <div key={at} className={classes.written}>
          <div className={classes.bar}>
            <code>{call.alias}</code>
            <span className="pb-grow" />
            <IconButton
              size="sm"
              icon={IconX}
              label={`Remove call to ${call.alias}`}
              onClick={() => keep({ calls: calls.filter((_, other) => other !== at) })}
            />
          </div>
          <div className={classes.editor}>
            <JsonEditor
              value={call.argumentsJson}
              label={`Arguments for ${call.alias}`}
              onChange={(argumentsJson) =>
                keep({
                  calls: calls.map((each, other) => (other === at ? { ...each, argumentsJson } : each)),
                })
              }
            />
          </div>
        </div>
      ))}
      <Textarea
        aria-label="Answer"
        placeholder="Answer as the model"
        value={text}
        autosize
        minRows={2}
        maxRows={12}
        ref={field}
        onChange={(event) => keep({ text: event.currentTarget.value })}
      />
      <div className={classes.bar}>
        <NativeSelect
          size="xs"
          className={classes.tool}
          aria-label="Tool to call"
          value={alias}
          disabled={tools.length === 0}
          data={tools.length === 0 ? ['No tools'] : tools.map((tool) => tool.alias)}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} />}
          disabled={alias === ''}
          onClick={add}
        >
          Add call
        </Button>
        <div className={classes.end}>
          <StopButton conversation={conversation} />
          <Button
            size="compact-sm"
            leftSection={<IconSend size={14} />}
            disabled={!canSend}
            onClick={() => void send()}
          >
            Send answer
          </Button>
        </div>
      </div>
    </div>
  );
}
