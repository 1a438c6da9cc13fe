import { useState } from 'react';
import { useStore } from 'zustand';
import type { ConversationStore } from '../../model/chat/conversation';
import { RESOURCE_TYPE, attachDropped, attachPaths, canAttach } from '../../model/chat/files';
import { formatCount } from '../../model/text/format';
import { Waiting } from '../../widgets/status/Waiting';
import { useHost, useUi } from '../../model/workspace/context';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import { EmptyState } from '../../widgets/layout/EmptyState';
import { useWindowDrop } from '../../widgets/layout/useWindowDrop';
import { Composer } from './composer/Composer';
import { ManualAnswer } from './composer/ManualAnswer';
import { Items } from './items/Items';
import { WaitingCalls } from './items/WaitingCalls';
import { OperationsView } from './views/OperationsView';
import { TurnStatus } from './TurnStatus';
import { RawView } from './views/RawView';
import classes from './chat.module.css';

/** A conversation: its newest items, what is arriving, and what the user can write. */
export function ConversationView({ conversation }: { conversation: ConversationStore }) {
  const error = useStore(conversation, (state) => state.error);
  const summary = useStore(conversation, (state) => state.summary);
  const isLoaded = useStore(conversation, (state) => state.isLoaded);
  const view = useUi(({ chatView }) => chatView);
  const [isOver, setOver] = useState(false);
  const host = useHost();
  const {
    place,
    isOver: isOverWindow,
    accepts,
  } = useWindowDrop<HTMLElement>((paths) => void attachPaths(host, conversation, paths));
  // The window takes files itself. If the page took them too, WebKit would end the drag with an empty drop.
  const takes = ({ types }: DataTransfer): boolean =>
    accepts ? types.includes(RESOURCE_TYPE) : canAttach(types);
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
      ref={place}
      className={classes.conversation}
      aria-label="Conversation"
      data-drop={isOver || isOverWindow}
      onDragOver={(event) => {
        if (!takes(event.dataTransfer)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
      }}
      onDrop={(event) => {
        if (!takes(event.dataTransfer)) return;
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
        <Items conversation={conversation} label="Messages" empty={<Nothing conversation={conversation} />} />
      )}
      <TurnStatus conversation={conversation} />
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

function Nothing({ conversation }: { conversation: ConversationStore }) {
  const isManual = useStore(conversation, (state) => state.settings?.answers.type === 'manual');
  const count = useStore(conversation, (state) => state.settings?.servers.length ?? 0);
  return (
    <EmptyState
      title={isManual ? 'You play the model' : 'No messages yet'}
      text={
        (isManual
          ? 'Send a message, then write the answer yourself and choose the tools it calls. '
          : 'The model can use the tools you choose; every call needs your approval. ') +
        (count === 0
          ? 'No servers selected. Select some under “Model, tools and rules”.'
          : `${formatCount(count, 'server')} selected. Type / for their prompts.`)
      }
    />
  );
}
