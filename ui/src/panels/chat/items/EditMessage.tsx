import { Button, Textarea } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import type { ChatItem } from '../../../contract/generated';
import type { ConversationStore } from '../../../model/chat/conversation';
import { formatCount } from '../../../model/text/format';
import { focused } from '../../../widgets/layout/focused';
import classes from './items.module.css';

interface EditMessageProps {
  id: string;
  text: string;
  item: Extract<ChatItem, { type: 'user' }>;
  conversation: ConversationStore;
}

/** A message while it is edited: sent again, it begins another branch. */
export function EditMessage({ id, text, item, conversation }: EditMessageProps) {
  const [edited, setEdited] = useState(text);
  const attached = item.content.filter(({ type }) => type !== 'text').length;
  const canSend = edited.trim() !== '' || attached > 0;
  function send(): void {
    if (canSend) void conversation.run('chat_edit', { item: id, text: edited });
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      event.stopPropagation();
      send();
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      conversation.edit(null);
    }
  }
  return (
    // Ctrl-Enter and Esc reach it from its field.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div className={classes.user} role="group" aria-label="Edit the message" onKeyDown={onKeyDown}>
      <Textarea
        aria-label="Edited message"
        value={edited}
        autosize
        minRows={2}
        maxRows={16}
        ref={focused}
        onChange={({ currentTarget: { value } }) => setEdited(value)}
      />
      <div className={classes.editBar}>
        <span className={classes.facts}>
          {attached > 0 && `Keeps ${formatCount(attached, 'attachment')}. `}
          Later messages are kept as another version.
        </span>
        <span className={classes.grow} />
        <Button size="compact-sm" variant="default" onClick={() => conversation.edit(null)}>
          Cancel
        </Button>
        <Button size="compact-sm" leftSection={<IconSend size={14} />} disabled={!canSend} onClick={send}>
          Send
        </Button>
      </div>
    </div>
  );
}
