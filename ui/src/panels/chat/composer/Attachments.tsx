import { IconBell, IconFileText, IconMessage, IconPhoto, IconRefresh, IconX } from '@tabler/icons-react';
import { useStore } from 'zustand';
import type { ChatAttachment, ChatSubscription } from '../../../contract/generated';
import type { ConversationStore } from '../../../model/chat/conversation';
import { tokensOf } from '../../../model/chat/words';
import { formatCount, formatSize } from '../../../model/text/format';
import { useModel } from '../../../model/workspace/context';
import { IconButton } from '../../../widgets/controls/IconButton';
import { RecordLink } from '../../../widgets/links/RecordLink';
import classes from './composer.module.css';

/** What is sent with the next message, with its size and its beginning. */
export function Attachments({ conversation }: { conversation: ConversationStore }) {
  const attached = useStore(conversation, (state) => state.attached);
  if (attached.length === 0) return null;
  return (
    <>
      {attached.some(({ hasImages }) => hasImages) && <NoVision conversation={conversation} />}
      <ul className={classes.attachments} aria-label="Attached to the next message">
        {attached.map((each) => (
          <Attachment key={each.id} attachment={each} conversation={conversation} />
        ))}
      </ul>
    </>
  );
}

/** What the provider says of a model that takes no images. */
function NoVision({ conversation }: { conversation: ConversationStore }) {
  const { providers } = useModel();
  const listed = useStore(providers, (state) => state.items);
  const answers = useStore(conversation, (state) => state.settings?.answers);
  if (answers?.type !== 'model') return null;
  const provider = listed?.find(({ id }) => id === answers.providerId);
  const model = provider?.models?.find(({ id }) => id === answers.model);
  if (provider === undefined || model?.images !== false) return null;
  return (
    <p className={classes.warning} role="status">
      {provider.name} reports that {model.name ?? model.id} does not accept images. Choose another model, or
      remove the images.
    </p>
  );
}

interface AttachmentProps {
  attachment: ChatAttachment;
  conversation: ConversationStore;
}

function Attachment({ attachment, conversation }: AttachmentProps) {
  const { id, name, serverName, serverId, isPrompt, keepCurrent, hasImages, image } = attachment;
  const { bytes, parts, preview, seq, canSubscribe, subscription } = attachment;
  const isResource = !isPrompt && serverId !== null;
  const Glyph = isPrompt ? IconMessage : hasImages ? IconPhoto : IconFileText;
  const facts = [
    isPrompt ? `prompt of ${serverName}` : serverName,
    serverId === null ? 'your file' : formatCount(parts, isPrompt ? 'message' : 'content'),
    formatSize(bytes),
    hasImages ? '' : tokensOf(bytes),
  ];
  return (
    <li className={classes.attachment}>
      <Glyph size={14} aria-hidden />
      <details className={classes.attached}>
        <summary>
          <code>{name}</code>
          <span className={classes.hint}>{facts.filter(Boolean).join(' · ')}</span>
        </summary>
        {image !== null && <img className={classes.image} src={image} alt={`Preview of ${name}`} />}
        {(image === null || preview !== '') && (
          <pre className={`${classes.preview} pb-selectable`}>{preview}</pre>
        )}
      </details>
      {image !== null && <img className={classes.thumb} src={image} alt="" />}
      {subscription !== null && <Updates subscription={subscription} />}
      {seq !== null && <RecordLink seq={seq} label="Response" />}
      {isResource && (
        <IconButton
          size="sm"
          icon={canSubscribe ? IconBell : IconRefresh}
          label={
            canSubscribe
              ? 'Keep current: mark it when it changes, and read it again when sent'
              : 'Keep current: read it again when sent'
          }
          pressed={keepCurrent}
          onClick={() => void conversation.run('chat_keep_current', { id, keepCurrent: !keepCurrent })}
        />
      )}
      <IconButton
        size="sm"
        icon={IconX}
        label={`Remove ${name}`}
        onClick={() => void conversation.run('chat_detach', { id })}
      />
    </li>
  );
}

/** What is known of the updates of a resource that is kept current. */
function Updates({
  subscription: { granted, ended, updates, updateSeq },
}: {
  subscription: ChatSubscription;
}) {
  const isChanged = updates > 0;
  return (
    <>
      <span
        className={classes.updates}
        role="status"
        data-tone={ended !== null || isChanged ? 'warn' : undefined}
        data-tip={
          isChanged
            ? `The server has reported ${formatCount(updates, 'update')} since it was read. It is read again when the message is sent.`
            : undefined
        }
      >
        {[
          isChanged ? 'Changed' : '',
          ended === null ? '' : `Not subscribed: ${ended}`,
          isChanged || ended !== null ? '' : granted ? 'Subscribed' : 'Subscribing…',
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
      {updateSeq !== null && <RecordLink seq={updateSeq} label="Update" />}
    </>
  );
}
