import { IconFileText, IconMessage, IconX } from '@tabler/icons-react';
import { useStore } from 'zustand';
import type { ConversationStore } from '../../../model/chat/conversation';
import { tokensOf } from '../../../model/chat/words';
import { formatCount, formatSize } from '../../../model/text/format';
import { IconButton } from '../../../widgets/controls/IconButton';
import { RecordLink } from '../../../widgets/links/RecordLink';
import classes from './composer.module.css';

/** What is sent with the next message, with its size and its beginning. */
export function Attachments({ conversation }: { conversation: ConversationStore }) {
  const attached = useStore(conversation, (state) => state.attached);
  if (attached.length === 0) return null;
  return (
    <ul className={classes.attachments} aria-label="Attached to the next message">
      {attached.map(({ id, name, serverName, isPrompt, bytes, parts, preview, seq }) => (
        <li key={id} className={classes.attachment}>
          {isPrompt ? <IconMessage size={14} aria-hidden /> : <IconFileText size={14} aria-hidden />}
          <details className={classes.attached}>
            <summary>
              <code>{name}</code>
              <span className={classes.hint}>
                {[
                  isPrompt ? `prompt of ${serverName}` : serverName,
                  formatCount(parts, isPrompt ? 'message' : 'content'),
                  formatSize(bytes),
                  tokensOf(bytes),
                ].join(' · ')}
              </span>
            </summary>
            <pre className={`${classes.preview} pb-selectable`}>{preview}</pre>
          </details>
          {seq !== null && <RecordLink seq={seq} label="Answer" />}
          <IconButton
            size="sm"
            icon={IconX}
            label={`Do not attach ${name}`}
            onClick={() => void conversation.run('chat_detach', { id })}
          />
        </li>
      ))}
    </ul>
  );
}
