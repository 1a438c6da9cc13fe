import { Button } from '@mantine/core';
import {
  IconAlertCircle,
  IconGitFork,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconPlugX,
  IconRefresh,
  IconSparkles,
  IconUser,
  type Icon,
} from '@tabler/icons-react';
import { memo, useState } from 'react';
import { useStore } from 'zustand';
import type { ChatItem, ChatNoticeKind } from '../../../contract/generated';
import { ContentView } from '../../../content/ContentView';
import { type ConversationStore, textOf } from '../../../model/chat/conversation';
import { withEdit } from '../../../model/chat/unsent';
import { formatCount, formatDuration, formatTime } from '../../../model/text/format';
import { useModel } from '../../../model/workspace/context';
import { CodeView } from '../../../widgets/code/CodeView';
import { IconButton } from '../../../widgets/controls/IconButton';
import { useFocusWhenOpened } from '../../../widgets/focus/focused';
import { RecordLink } from '../../../widgets/links/RecordLink';
import { Markdown } from '../../../widgets/markdown/Markdown';
import { CallItem } from './CallItem';
import { EditMessage } from './EditMessage';
import { MaskedNote } from '../flow/MaskedNote';
import { SeenBadge } from '../flow/SeenBadge';
import { Untrusted } from '../flow/Untrusted';
import { useUnsent } from '../useUnsent';
import { Versions } from './Versions';
import classes from './items.module.css';

interface ConversationItemProps {
  item: ChatItem;
  /** Whether it is the end of the conversation, which can go on from there: nothing runs, and it is not read-only. */
  isLast: boolean;
  conversation: ConversationStore;
}

/** An item of a conversation. */
export const ConversationItem = memo(function ConversationItem(props: ConversationItemProps) {
  const { item, isLast, conversation } = props;
  switch (item.type) {
    case 'user':
      return <Message item={item} conversation={conversation} />;
    case 'answer':
      return <Answer item={item} isLast={isLast} conversation={conversation} />;
    case 'call':
      return <CallItem call={item.call} conversation={conversation} />;
    case 'notice':
      return <Notice item={item} isLast={isLast} conversation={conversation} />;
  }
});

interface OneItem<K extends ChatItem['type']> {
  item: Extract<ChatItem, { type: K }>;
  conversation: ConversationStore;
}

function Message({ item, conversation }: OneItem<'user'>) {
  const { chats, compare, ui } = useModel();
  const { chatId } = conversation;
  /** What is written in place of the message; null: its own text; undefined: it is not edited. */
  const edited = useUnsent(chatId, ({ messages }) => messages[item.id]);
  const editField = useFocusWhenOpened(edited !== undefined);
  const [isForking, setForking] = useState(false);
  const text = textOf(item);
  const fork = async (): Promise<void> => {
    setForking(true);
    const copy = await chats.forkAt(chatId, conversation.getState().items, item);
    setForking(false);
    if (copy === null) return;
    ui.setState({ selectedChat: copy });
    compare.hide();
  };
  const shown = edited ?? text;
  if (edited !== undefined && shown !== null) {
    return (
      <EditMessage id={item.id} text={shown} item={item} fieldRef={editField} conversation={conversation} />
    );
  }
  return (
    <article className={classes.user} aria-label="User message">
      <IconUser size={16} className={classes.speaker} aria-hidden />
      <header className={classes.head}>
        <strong>{item.from === null ? 'You' : `From ${item.from}`}</strong>
        <time className={classes.time}>{formatTime(item.atMs)}</time>
        {item.servers.map((server) => (
          <Untrusted key={server} server={server} />
        ))}
        <SeenBadge id={item.id} conversation={conversation} />
        <span className="pb-grow" />
        <Versions id={item.id} conversation={conversation} />
        {item.from === null && (
          <>
            <WhenIdle
              icon={IconPencil}
              label="Edit and send again"
              isDisabled={text === null}
              conversation={conversation}
              onClick={() => chats.keep(chatId, (old) => withEdit(old, item.id))}
            />
            <IconButton
              size="sm"
              icon={IconGitFork}
              label="Fork conversation from here"
              loading={isForking}
              onClick={() => void fork()}
            />
          </>
        )}
      </header>
      {item.content.map((content, index) =>
        content.type === 'text' && content.text.inline !== null ? (
          <p key={index} className={`${classes.text} pb-selectable`}>
            {content.text.inline}
          </p>
        ) : (
          <ContentView
            key={index}
            item={content}
            index={index}
            count={item.content.length}
            name="attached"
            fill={false}
          />
        ),
      )}
      <MaskedNote id={item.id} masked={item.masked} conversation={conversation} />
    </article>
  );
}

function Answer({ item, isLast, conversation }: OneItem<'answer'> & { isLast: boolean }) {
  const { text, thinking, incomplete, stopReason, seq } = item;
  const isCut = stopReason === 'maxTokens';
  const tokens = [
    item.inputTokens === null ? [] : [`${formatCount(item.inputTokens, 'token')} in`],
    item.outputTokens === null ? [] : [`${formatCount(item.outputTokens)} out`],
  ].flat();
  return (
    <article className={classes.answer} aria-label={`Answer from ${item.by}`}>
      <IconSparkles size={16} className={classes.speaker} aria-hidden />
      <header className={classes.head}>
        <strong>{item.by === 'You' ? 'You, as the model' : item.by}</strong>
        <time className={classes.time}>{formatTime(item.atMs)}</time>
        <span className={classes.facts}>
          {[item.tookMs > 0 ? formatDuration(item.tookMs) : '', tokens.join(', ')]
            .filter(Boolean)
            .join(' · ')}
        </span>
        <SeenBadge id={item.id} conversation={conversation} />
        <span className="pb-grow" />
        <Versions id={item.id} conversation={conversation} />
        {seq !== null && <RecordLink seq={seq} label="Request" />}
        {(item.byModel || item.by === 'You') && (
          <WhenIdle
            icon={IconRefresh}
            label="Regenerate"
            conversation={conversation}
            onClick={() => void conversation.run('chat_regenerate', { item: item.id })}
          />
        )}
      </header>
      {thinking !== null && (
        <details className={classes.thinking}>
          <summary>Thinking</summary>
          <p className={`${classes.text} pb-selectable`}>{thinking}</p>
        </details>
      )}
      {text !== null &&
        (text.inline !== null ? (
          <Markdown text={text.inline} />
        ) : (
          <CodeView body={text} form="raw" label="Answer" />
        ))}
      <MaskedNote id={item.id} masked={item.masked} conversation={conversation} />
      {incomplete !== null && <p className={classes.warn}>Incomplete: {incomplete}</p>}
      {isCut && (
        <p className={classes.warn}>
          The answer reached the token limit.
          {isLast && <GoOn conversation={conversation} label="Continue" />}
        </p>
      )}
    </article>
  );
}

const NOTICE_GLYPHS: Record<ChatNoticeKind, typeof IconAlertCircle> = {
  failed: IconAlertCircle,
  stopped: IconPlayerStop,
  limit: IconPlayerPause,
  interrupted: IconPlugX,
};

function Notice({ item, isLast, conversation }: OneItem<'notice'> & { isLast: boolean }) {
  const Glyph = NOTICE_GLYPHS[item.kind];
  return (
    <div className={classes.notice} data-kind={item.kind} role="note">
      <Glyph size={16} aria-hidden />
      <span className="pb-selectable">
        {item.cause} {item.next}
      </span>
      <span className="pb-grow" />
      <Versions id={item.id} conversation={conversation} />
      {item.seq !== null && <RecordLink seq={item.seq} label="Exchange" />}
      {isLast &&
        (item.kind === 'failed' ? (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconRefresh size={12} />}
            data-tip="Requests a new answer. Completed calls are not repeated."
            onClick={() => void conversation.run('chat_regenerate', { item: item.id })}
          >
            Retry
          </Button>
        ) : (
          <GoOn conversation={conversation} label="Continue" />
        ))}
    </div>
  );
}

interface WhenIdleProps {
  icon: Icon;
  label: string;
  /** Whether it cannot be used at all. */
  isDisabled?: boolean;
  conversation: ConversationStore;
  onClick: () => void;
}

/** A button that says, while a turn runs, that it has to be stopped first. */
function WhenIdle({ icon, label, isDisabled = false, conversation, onClick }: WhenIdleProps) {
  const isIdle = useStore(conversation, ({ summary }) => summary?.phase === 'idle');
  const isReadOnly = useStore(conversation, ({ summary }) => summary?.readOnly !== null);
  if (isReadOnly) return null;
  return (
    <IconButton
      size="sm"
      icon={icon}
      label={isIdle ? label : `${label}: stop the turn first`}
      disabled={!isIdle || isDisabled}
      onClick={onClick}
    />
  );
}

function GoOn({ conversation, label }: { conversation: ConversationStore; label: string }) {
  return (
    <Button
      size="compact-xs"
      variant="default"
      leftSection={<IconPlayerPlay size={12} />}
      onClick={() => void conversation.run('chat_continue', {})}
    >
      {label}
    </Button>
  );
}
