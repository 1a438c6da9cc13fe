import { Button, Group, Popover, Text } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { ChatMasked } from '../../../contract/generated';
import type { ConversationStore } from '../../../model/chat/conversation';
import { formatCount } from '../../../model/text/format';
import classes from './flow.module.css';

interface MaskedNoteProps {
  /** The id of the item. */
  id: string;
  masked: ChatMasked | null;
  conversation: ConversationStore;
}

/** Which secrets are masked in an item, and the question whether the model may have them; nothing if there are none. */
export function MaskedNote({ id, masked, conversation }: MaskedNoteProps) {
  const isReadOnly = useStore(conversation, ({ summary }) => summary?.readOnly !== null);
  if (masked === null) return null;
  const { names, isSent, canBeSent } = masked;
  const count = formatCount(names.length, 'secret');
  const Glyph = isSent ? IconEye : IconEyeOff;
  return (
    <div className={classes.masked} data-sent={isSent} role="note" aria-label="Masked secrets">
      <Glyph size={14} aria-hidden />
      <span className="pb-selectable">
        {isSent ? `${count} sent unmasked: ` : `${count} masked: `}
        {names.join(', ')}
      </span>
      {isSent ? (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => void conversation.run('chat_send_as_is', { item: id, asIs: false })}
        >
          Mask again
        </Button>
      ) : (
        !isReadOnly &&
        (canBeSent ? (
          <SendAsIs id={id} names={names} conversation={conversation} />
        ) : (
          <span
            className="pb-dim"
            // Its tip is for the keyboard too.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
            data-tip="Secrets are not written to disk, so masked values are lost on restart"
          >
            stays masked
          </span>
        ))
      )}
    </div>
  );
}

interface SendAsIsProps {
  id: string;
  names: readonly string[];
  conversation: ConversationStore;
}

function SendAsIs({ id, names, conversation }: SendAsIsProps) {
  const answers = useStore(conversation, ({ settings }) => settings?.answers);
  const [isAsking, setAsking] = useState(false);
  const model = answers?.type === 'model' ? answers.model : 'The model';
  return (
    <Popover
      opened={isAsking}
      onChange={setAsking}
      position="bottom-start"
      width={340}
      trapFocus
      returnFocus
      withArrow
    >
      <Popover.Target>
        <Button size="compact-xs" variant="default" onClick={() => setAsking(true)}>
          Send unmasked…
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Text size="sm">
          {model} receives {names.join(', ')} unmasked in this item, with every request of this conversation,
          until you mask it again or quit Patchbay. The conversation file, the traffic log and other items
          stay masked.
        </Text>
        <Group gap="xs" mt="sm" justify="flex-end">
          <Button variant="default" onClick={() => setAsking(false)} data-autofocus>
            Keep masked
          </Button>
          <Button
            color="red"
            onClick={() => {
              setAsking(false);
              void conversation.run('chat_send_as_is', { item: id, asIs: true });
            }}
          >
            Send unmasked
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}
