import { Button, Combobox, Textarea, useCombobox } from '@mantine/core';
import { IconPaperclip, IconSend } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { ChatPhase } from '../../../contract/generated';
import { type ConversationStore, idOf, lastWritten, textOf } from '../../../model/chat/conversation';
import { withEdit } from '../../../model/chat/unsent';
import { useModel } from '../../../model/workspace/context';
import { fixedText } from '../../../model/workspace/shortcuts';
import { attachFiles } from '../../../model/chat/files';
import { useUnsent } from '../useUnsent';
import { AttachFiles } from './AttachFiles';
import { Attachments } from './Attachments';
import { ContextMeter } from './ContextMeter';
import { NotConnected } from './NotConnected';
import { PromptMenu } from './PromptMenu';
import { ResourceMenu } from './ResourceMenu';
import { StopButton } from './StopButton';
import classes from './composer.module.css';

/** Where the user writes a message: text, what is attached, prompts as slash commands. */
export function Composer({ conversation, phase }: { conversation: ConversationStore; phase: ChatPhase }) {
  const { chats } = useModel();
  const { chatId } = conversation;
  const text = useStore(chats, ({ drafts }) => drafts[chatId] ?? '');
  const attached = useStore(conversation, (state) => state.attached);
  const [isAttaching, setAttaching] = useState(false);
  const [isSending, setSending] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const isIdle = phase === 'idle';
  const canSend = isIdle && !isSending && (text.trim() !== '' || attached.length > 0);
  /** The text whose prompts are not offered any more. */
  const [refused, setRefused] = useState<string | null>(null);
  const slash = isIdle && text !== refused && /^\/\S*$/.test(text) ? text.slice(1) : null;
  /** Whether there is a list that the message can point to. */
  const [isOffered, setOffered] = useState(false);
  const prompts = useCombobox({
    opened: slash !== null,
    // A press outside of them closes nothing: it may be in the message.
    onDropdownClose: (source) => source === 'keyboard' && setRefused(text),
  });

  const messages = useUnsent(chatId, (unsent) => unsent.messages);
  const edited = Object.keys(messages);
  // An edit of a branch that is not shown waits there.
  const isEditing = useStore(
    conversation,
    ({ items }) => edited.length > 0 && items.some((item) => edited.includes(idOf(item))),
  );
  // To the field at first, and when a turn or an edit has ended or an attachment is removed, unless the user is elsewhere.
  useEffect(() => {
    if (isIdle && !isEditing && document.activeElement === document.body) field.current?.focus();
  }, [isIdle, isEditing, attached.length]);

  async function send(): Promise<void> {
    if (!canSend) return;
    setSending(true);
    const isSent = await conversation.run('chat_send', { text });
    // What was written meanwhile is the next message.
    if (isSent && chats.getState().drafts[chatId] === text) chats.write(chatId, '');
    setSending(false);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      event.stopPropagation();
      // It sends what is written, and chooses no prompt.
      prompts.resetSelectedOption();
      void send();
    } else if (event.key === 'Escape' && slash !== null) {
      // It closes the prompts, and nothing around them.
      event.stopPropagation();
    } else if (event.key === 'ArrowUp' && text === '' && isIdle) {
      const { items } = conversation.getState();
      const last = lastWritten(items);
      const item = items.find((each) => idOf(each) === last);
      if (item?.type !== 'user' || textOf(item) === null) return;
      event.preventDefault();
      chats.keep(chatId, (old) => withEdit(old, item.id));
    }
  }

  return (
    <div className={classes.composer}>
      <NotConnected conversation={conversation} />
      <Attachments conversation={conversation} />
      <Combobox store={prompts}>
        {slash !== null && (
          <PromptMenu
            conversation={conversation}
            query={slash}
            onOffered={setOffered}
            onBack={() => field.current?.focus()}
            onDone={() => {
              chats.write(chatId, '');
              field.current?.focus();
            }}
          />
        )}
        {isAttaching && (
          <ResourceMenu
            conversation={conversation}
            onDone={() => {
              setAttaching(false);
              field.current?.focus();
            }}
          />
        )}
        <Combobox.EventsTarget withKeyboardNavigation={slash !== null} withAriaAttributes={isOffered}>
          <Textarea
            ref={field}
            aria-label="Message"
            placeholder={isIdle ? 'Write a message. / for prompts' : 'Write the next message'}
            value={text}
            autosize
            minRows={2}
            maxRows={12}
            onChange={(event) => {
              setRefused(null);
              prompts.resetSelectedOption();
              chats.write(chatId, event.currentTarget.value);
            }}
            onKeyDown={onKeyDown}
            onPaste={(event) => {
              const files = [...event.clipboardData.files];
              if (files.length === 0) return;
              event.preventDefault();
              void attachFiles(conversation, files);
            }}
          />
        </Combobox.EventsTarget>
      </Combobox>
      <div className={classes.bar}>
        <AttachFiles conversation={conversation} />
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPaperclip size={14} />}
          aria-expanded={isAttaching}
          onClick={() => setAttaching(!isAttaching)}
        >
          Attach a resource
        </Button>
        <div className={classes.end}>
          <ContextMeter conversation={conversation} />
          <span className={`${classes.hint} ${classes.shortcut}`}>{fixedText('run')}</span>
          {isIdle ? (
            <Button
              size="compact-sm"
              leftSection={<IconSend size={14} />}
              disabled={!canSend}
              loading={isSending}
              onClick={() => void send()}
            >
              Send
            </Button>
          ) : (
            <StopButton conversation={conversation} />
          )}
        </div>
      </div>
    </div>
  );
}
