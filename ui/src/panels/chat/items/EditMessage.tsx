import { Button, Textarea } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import type { KeyboardEvent, Ref } from 'react';
import type { ChatItem } from '../../../contract/generated';
import type { ConversationStore } from '../../../model/chat/conversation';
import { withMessage, withoutEdit } from '../../../model/chat/unsent';
import { formatCount } from '../../../model/text/format';
import { useModel } from '../../../model/workspace/context';
import classes from './items.module.css';

interface EditMessageProps {
  id: string;
  /** As it is edited so far. */
  text: string;
  item: Extract<ChatItem, { type: 'user' }>;
  fieldRef: Ref<HTMLTextAreaElement> | undefined;
  conversation: ConversationStore;
}

/** A message while it is edited: sent again, it begins another branch. */
export function EditMessage({ id, text, item, fieldRef, conversation }: EditMessageProps) {
  const { chats } = useModel();
  const { chatId } = conversation;
  const attached = item.content.filter(({ type }) => type !== 'text').length;
  const canSend = text.trim() !== '' || attached > 0;
  const end = (): void => chats.keep(chatId, (old) => withoutEdit(old, id));
  async function send(): Promise<void> {
    if (canSend && (await conversation.run('chat_edit', { item: id, text }))) end();
  }
  function onKeyDown(event: KeyboardEvent): void {
    // The key that ends a composition ends nothing else.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      event.stopPropagation();
      void send();
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      end();
    }
  }
  return (
    // Ctrl-Enter and Esc reach it from its field.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div className={classes.user} role="group" aria-label="Edit the message" onKeyDown={onKeyDown}>
      <Textarea
        aria-label="Edited message"
        value={text}
        autosize
        minRows={2}
        maxRows={16}
        ref={fieldRef}
        onChange={({ currentTarget: { value } }) => chats.keep(chatId, (old) => withMessage(old, id, value))}
      />
      <div className={classes.editBar}>
        <span className={classes.facts}>
          {attached > 0 && `Keeps ${formatCount(attached, 'attachment')}. `}
          Later messages are kept as another version.
        </span>
        <span className="pb-grow" />
        <Button size="compact-sm" variant="default" onClick={end}>
          Cancel
        </Button>
        <Button
          size="compact-sm"
          leftSection={<IconSend size={14} />}
          disabled={!canSend}
          onClick={() => void send()}
        >
          Send
        </Button>
      </div>
    </div>
  );
}
