import { Button } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { type ConversationStore, idOf } from '../../model/chat/conversation';
import { attachDropped, canAttach } from '../../model/chat/files';
import { formatCount } from '../../model/text/format';
import { Waiting } from '../../widgets/status/Waiting';
import { useUi } from '../../model/workspace/context';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import { EmptyState } from '../../widgets/layout/EmptyState';
import { Composer } from './composer/Composer';
import { ManualAnswer } from './composer/ManualAnswer';
import { ConversationItem } from './items/ConversationItem';
import { LiveAnswerView } from './items/LiveAnswerView';
import { WaitingCalls } from './items/WaitingCalls';
import { OperationsView } from './views/OperationsView';
import { RawView } from './views/RawView';
import classes from './chat.module.css';

/** How many items are drawn at first, and how many more at a time: a conversation may have tens of thousands. */
const PAGE = 100;
/** This near to the end, in px, the view follows it. */
const NEAR = 80;

/** A conversation: its newest items, what is arriving, and what the user can write. */
export function ConversationView({ conversation }: { conversation: ConversationStore }) {
  const error = useStore(conversation, (state) => state.error);
  const summary = useStore(conversation, (state) => state.summary);
  const isLoaded = useStore(conversation, (state) => state.isLoaded);
  const view = useUi(({ chatView }) => chatView);
  const [isOver, setOver] = useState(false);
  if (summary === undefined || !isLoaded) {
    return (
      <div className={classes.conversation}>
        {error === null ? <Waiting text="Loading…" /> : <CommandAlert error={error} inPane />}
      </div>
    );
  }
  return (
    // Dropping is one way; the buttons of the composer are the others.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      className={classes.conversation}
      aria-label="Conversation"
      data-drop={isOver}
      onDragOver={(event) => {
        if (!canAttach(event.dataTransfer.types)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
      }}
      onDrop={(event) => {
        if (!canAttach(event.dataTransfer.types)) return;
        event.preventDefault();
        setOver(false);
        void attachDropped(conversation, event.dataTransfer);
      }}
    >
      {view === 'operations' ? (
        <OperationsView conversation={conversation} />
      ) : view === 'raw' ? (
        <RawView conversation={conversation} />
      ) : (
        <Items conversation={conversation} />
      )}
      <WaitingCalls conversation={conversation} />
      {error !== null && <CommandAlert error={error} inPane onClose={() => conversation.dismissError()} />}
      {summary.readOnly !== null ? (
        <p className={classes.readOnly}>{summary.readOnly}</p>
      ) : summary.phase === 'writing' ? (
        <ManualAnswer conversation={conversation} />
      ) : (
        <Composer conversation={conversation} phase={summary.phase} />
      )}
    </section>
  );
}

function Items({ conversation }: { conversation: ConversationStore }) {
  const items = useStore(conversation, (state) => state.items);
  const phase = useStore(conversation, (state) => state.summary?.phase);
  const isLive = useStore(conversation, (state) => state.live !== null);
  const [most, setMost] = useState(PAGE);
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follows = useRef(true);

  // What grows at the end stays in view, unless the user has scrolled away from it.
  useLayoutEffect(() => {
    const [box, grown] = [scroller.current, content.current];
    if (box === null || grown === null) return;
    const observer = new ResizeObserver(() => {
      if (follows.current) box.scrollTop = box.scrollHeight;
    });
    observer.observe(grown);
    observer.observe(box);
    return () => observer.disconnect();
  }, []);

  const first = Math.max(0, items.length - most);
  const last = items.at(-1);
  return (
    // A region that scrolls takes the focus, so that the keys scroll it.
    <div
      ref={scroller}
      className={classes.scroller}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="log"
      aria-label="Messages"
      aria-live="off"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < NEAR;
      }}
    >
      <div ref={content} className={classes.items}>
        {items.length === 0 && !isLive && <Nothing conversation={conversation} />}
        {first > 0 && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={<IconArrowUp size={14} />}
            onClick={() => {
              follows.current = false;
              setMost(most + PAGE);
            }}
          >
            Show earlier ({formatCount(first)} more)
          </Button>
        )}
        {items.slice(first).map((item) => (
          <ConversationItem
            key={idOf(item)}
            item={item}
            isLast={item === last && phase === 'idle'}
            conversation={conversation}
          />
        ))}
        <LiveAnswerView conversation={conversation} />
      </div>
    </div>
  );
}

function Nothing({ conversation }: { conversation: ConversationStore }) {
  const isManual = useStore(conversation, (state) => state.settings?.answers.type === 'manual');
  const count = useStore(conversation, (state) => state.settings?.servers.length ?? 0);
  return (
    <EmptyState
      title={isManual ? 'You play the model' : 'Nothing said yet'}
      text={
        (isManual
          ? 'Send a message, then write the answer yourself and choose the tools it calls. '
          : 'The model gets the tools you choose; every call waits for you. ') +
        (count === 0
          ? 'No server is chosen: choose some under “Model, tools and rules”.'
          : `${formatCount(count, 'server')} chosen. Type / for their prompts.`)
      }
    />
  );
}
