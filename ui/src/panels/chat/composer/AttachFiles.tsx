import { IconPhotoPlus } from '@tabler/icons-react';
import { useRef } from 'react';
import type { ConversationStore } from '../../../model/chat/conversation';
import { attachFiles } from '../../../model/chat/files';
import { IconButton } from '../../../widgets/controls/IconButton';

/** Picks files and images for the next message. */
export function AttachFiles({ conversation }: { conversation: ConversationStore }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // The same file can be chosen again.
          currentTarget.value = '';
          void attachFiles(conversation, files);
        }}
      />
      <IconButton
        icon={IconPhotoPlus}
        label="Attach files: text, or images (PNG, JPEG, GIF, WebP). They can also be pasted or dropped."
        variant="default"
        onClick={() => input.current?.click()}
      />
    </>
  );
}
