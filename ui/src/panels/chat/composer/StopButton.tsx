import { Button } from '@mantine/core';
import { IconPlayerStop } from '@tabler/icons-react';
import type { ConversationStore } from '../../../model/chat/conversation';

/** Stops the turn; what has come of it stays. */
export function StopButton({ conversation }: { conversation: ConversationStore }) {
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconPlayerStop size={14} />}
      onClick={() => void conversation.run('chat_stop', {})}
    >
      Stop
    </Button>
  );
}
