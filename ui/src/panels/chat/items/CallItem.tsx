import {
  IconAlertTriangle,
  IconBan,
  IconChevronRight,
  IconCircleCheck,
  IconCircleX,
  IconClockPause,
  IconLoader2,
  IconPlugX,
  IconX,
} from '@tabler/icons-react';
import { Progress } from '@mantine/core';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { ChatCall, ChatCallState } from '../../../contract/generated';
import { ContentView } from '../../../content/ContentView';
import { ContentServer } from '../../../content/links/contentServer';
import { StructuredResult } from '../../../content/StructuredResult';
import type { ConversationStore } from '../../../model/chat/conversation';
import { wasSent } from '../../../model/chat/flow';
import { CALL_STATES, progressLine, resultLine, toneOf } from '../../../model/chat/words';
import { indentJson } from '../../../model/text/json';
import { formatDuration, formatSize } from '../../../model/text/format';
import { CodeText } from '../../../widgets/code/CodeView';
import { IconButton } from '../../../widgets/controls/IconButton';
import { RecordLink } from '../../../widgets/links/RecordLink';
import { PendingAuthorization } from '../../../widgets/status/PendingAuthorization';
import { PendingInputs } from '../../../widgets/status/PendingInputs';
import { Clamped } from '../../../widgets/text/Clamped';
import { AppOfCall, ShowApp, useCallApp } from './AppOfCall';
import { Approval } from './Approval';
import { CarriedNote } from '../flow/CarriedNote';
import { MaskedNote } from '../flow/MaskedNote';
import { SeenBadge } from '../flow/SeenBadge';
import { Untrusted } from '../flow/Untrusted';
import { Problems } from './Problems';
import classes from './items.module.css';

const GLYPHS: Record<ChatCallState, typeof IconX> = {
  waiting: IconClockPause,
  queued: IconClockPause,
  running: IconLoader2,
  done: IconCircleCheck,
  toolError: IconAlertTriangle,
  failed: IconCircleX,
  denied: IconBan,
  cancelled: IconBan,
  notRun: IconBan,
  interrupted: IconPlugX,
};

/** A call of a tool: one line, its arguments and its result on demand, and the decision while it waits. */
export function CallItem({ call, conversation }: { call: ChatCall; conversation: ConversationStore }) {
  const [isOpen, setOpen] = useState(false);
  const { state, exchangeId } = call;
  const Glyph = GLYPHS[state];
  const isWaiting = state === 'waiting';
  const line = resultLine(call);
  const app = useCallApp(call);
  const wantsApp = useStore(conversation, ({ apps }) => apps.includes(call.id));
  const hasApp = app !== null && wantsApp && call.raw !== undefined;
  return (
    <section
      className={classes.call}
      data-state={state}
      data-app={hasApp}
      aria-label={`Call to ${call.alias}: ${CALL_STATES[state]}`}
    >
      <div className={classes.callHead}>
        <button
          type="button"
          className={classes.callToggle}
          aria-expanded={isOpen || isWaiting}
          disabled={isWaiting}
          onClick={() => setOpen(!isOpen)}
        >
          <IconChevronRight
            size={14}
            className={classes.chevron}
            data-open={isOpen || isWaiting}
            aria-hidden
          />
          <span className={classes.state} data-tone={toneOf(state)}>
            <Glyph size={14} aria-hidden data-spins={state === 'running'} />
            {CALL_STATES[state]}
          </span>
          <code className={classes.alias}>{call.alias}</code>
          {call.serverName !== '' && <span className={classes.facts}>{call.serverName}</span>}
          {call.durationMs !== null && (
            <span className={classes.facts}>{formatDuration(call.durationMs)}</span>
          )}
        </button>
        <SeenBadge
          id={call.id}
          conversation={conversation}
          server={wasSent(call) ? call.serverName : undefined}
        />
        <span className="pb-grow" />
        {app !== null && !hasApp && <ShowApp app={app} call={call} conversation={conversation} />}
        {call.requestSeq !== null && <RecordLink seq={call.requestSeq} label="Request" />}
        {call.responseSeq !== null && <RecordLink seq={call.responseSeq} label="Response" />}
        {state === 'running' && exchangeId !== null && (
          <IconButton
            size="sm"
            icon={IconX}
            label="Cancel this call"
            onClick={() => void conversation.cancelCall(exchangeId)}
          />
        )}
      </div>
      {state === 'running' && <CallProgress call={call} />}
      {state === 'running' && exchangeId !== null && (
        <div className={classes.inputs}>
          <PendingInputs exchangeId={exchangeId} />
          {call.serverId !== null && <PendingAuthorization serverId={call.serverId} />}
        </div>
      )}
      <div className={classes.callNotes}>
        <MaskedNote id={call.id} masked={call.masked} conversation={conversation} />
        <CarriedNote call={call} />
      </div>
      {isWaiting ? (
        <Approval call={call} conversation={conversation} />
      ) : (
        <>
          {!isOpen && line !== '' && (
            <p className={classes.preview}>
              {call.result !== null && call.serverId !== null && <Untrusted server={call.serverName} />}{' '}
              {line}
            </p>
          )}
          {isOpen && <CallDetail call={call} />}
          {hasApp && <AppOfCall app={app} call={call} conversation={conversation} />}
        </>
      )}
    </section>
  );
}

function CallProgress({ call: { progress } }: { call: ChatCall }) {
  if (progress === null) return null;
  const { progress: done, total } = progress;
  return (
    <div className={classes.progress}>
      {total !== null && total > 0 && (
        <Progress value={Math.min(100, (100 * done) / total)} size="sm" aria-label="Progress" />
      )}
      <span className={classes.facts}>{progressLine(progress)}</span>
    </div>
  );
}

/** Everything about a call that has been decided. */
function CallDetail({ call }: { call: ChatCall }) {
  const { result, error, editedJson, problems, notChecked, decidedBy, cutFrom } = call;
  const hasStructured = result !== null && (result.structured !== null || result.structuredMissing);
  return (
    <div className={classes.detail}>
      <p className={classes.facts}>
        {[
          decidedBy === null ? '' : `Decided by ${decidedBy === 'You' ? 'you' : decidedBy}`,
          call.tool === call.alias ? '' : `Name on the server: ${call.tool}`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <h4 className={classes.label}>{editedJson === null ? 'Arguments' : 'Arguments from the model'}</h4>
      <CodeText text={indentJson(call.argumentsJson)} language="json" label="Arguments" />
      {editedJson !== null && (
        <>
          <h4 className={classes.label}>Arguments sent</h4>
          <CodeText text={indentJson(editedJson)} language="json" label="Changed arguments" />
        </>
      )}
      <Problems problems={problems} notChecked={notChecked} />
      {error !== null && (
        <div className={`${classes.error} pb-selectable`}>
          <Clamped text={error} label="Why there is no result" />
        </div>
      )}
      {result !== null && (
        <>
          <h4 className={classes.label}>
            Result{result.isError ? ': the tool reports an error' : ''}
            {cutFrom !== null &&
              `, cut from ${formatSize(cutFrom)}; the traffic log has the full result`}{' '}
            {call.serverId !== null && <Untrusted server={call.serverName} />}
          </h4>
          <ContentServer value={call.serverId}>
            {result.content.map((item, index) => (
              <ContentView
                key={index}
                item={item}
                index={index}
                count={result.content.length}
                name={call.tool}
                fill={false}
              />
            ))}
          </ContentServer>
          {hasStructured && <StructuredResult view={result.structured} missing={result.structuredMissing} />}
          {result.content.length === 0 && !hasStructured && (
            <p className={classes.facts}>The result has no content.</p>
          )}
        </>
      )}
    </div>
  );
}
