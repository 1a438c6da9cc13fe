import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { InputId } from '../../../contract/generated';
import { AT_THE_END, type Reading, isShort } from '../../../model/inbox/request/requestReader';
import { useRequestPart } from '../../../model/inbox/request/useRequestPart';
import { conversationOf } from '../../../model/inbox/sampling/conversation';
import { type KeptTurns, keptIn } from '../../../model/inbox/sampling/keptTurns';
import { indentJson, writeJsonCompact } from '../../../model/text/json';
import { useModel } from '../../../model/workspace/context';
import { Segments } from '../../../widgets/controls/Segments';
import dialog from '../InputDialog.module.css';
import { AnswerEditor } from '../request/AnswerEditor';
import { RequestText } from './RequestText';
import type { AnswerProps } from '../request/answerProps';
import { CannedAnswers } from './CannedAnswers';
import classes from './Sampling.module.css';
import { SamplingAnswer, fieldsOf } from './SamplingAnswer';
import { type Drafts, SamplingConversation, forgetDrafts, hasDraft } from './SamplingConversation';
import { SamplingModel } from './SamplingModel';
import { SamplingRulesForm } from './SamplingRulesForm';

/** A sampling request: what the model would get, the model, and the answer that goes to the server. */
export function SamplingDialogBody({ item, text, onText, mode, onMode, waits }: AnswerProps) {
  const { sampling } = useModel();
  const [view, setView] = useState<'read' | 'json'>('read');
  const { edited, kept } = useEdits(item.id, waits);
  const isRunning = useStore(sampling, ({ runs }) => runs[item.id]?.state === 'running');
  const original = useMemo(
    () => (isShort(item.paramsJson) ? indentJson(item.paramsJson) : item.paramsJson),
    [item.paramsJson],
  );
  const request = edited ?? original;
  const drafts = useDrafts(item.id);
  /** The text that is being edited in the background. */
  const [editing, setEditing] = useState<string | null>(null);
  const [inView, setInView] = useState(AT_THE_END);
  const { part, of } = useRequestPart(request, inView);
  const turns = useKeptTurns({ request, original, shown: of, kept });
  const conversation = useMemo(() => conversationOf(part.state === 'read' ? part.params : {}), [part]);
  const preferences = useMemo(() => preferencesOf(part), [part]);
  const isEdited = edited !== undefined && edited !== original;
  const canEdit = waits && !isRunning;
  const put = (next: string, left?: KeptTurns): void => {
    // Of an earlier text that was edited as JSON, no message is left.
    if (left === undefined) forgetDrafts(drafts, 'edited');
    sampling.edit(item.id, next === original ? undefined : next, left);
  };
  const hasFields = useMemo(() => fieldsOf(text) !== null, [text]);
  const isFields = hasFields && mode === 'form';
  return (
    <>
      {item.proposal !== undefined && (
        <p className={classes.proposal} role="status">
          {item.proposal.reason}
        </p>
      )}
      <h3 className={dialog.heading}>
        Request
        {isEdited && <span className={classes.dim}>edited, for the model only</span>}
        <span className="pb-grow" />
        {isEdited && waits && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            onClick={() => sampling.edit(item.id, undefined)}
          >
            Undo edits
          </Button>
        )}
        <Segments
          label="Show request as"
          value={view}
          onChange={setView}
          segments={[
            { value: 'read', label: 'Conversation' },
            { value: 'json', label: 'JSON' },
          ]}
        />
      </h3>
      {view === 'read' ? (
        <div className={classes.request}>
          <SamplingConversation
            part={part}
            conversation={conversation}
            drafts={drafts}
            inView={inView}
            onView={setInView}
            text={request}
            turns={turns}
            onText={canEdit ? put : undefined}
            editing={editing}
            onEditing={setEditing}
          />
        </div>
      ) : (
        <div className={dialog.json} data-request>
          <RequestText text={request} onText={canEdit ? (next) => put(next) : undefined} />
        </div>
      )}
      {waits && (
        <SamplingModel
          item={item}
          request={request}
          preferences={preferences}
          hasDraft={hasDraft(drafts, turns)}
          isEditing={editing !== null}
        />
      )}
      <h3 className={dialog.heading}>
        Answer
        <span className="pb-grow" />
        {waits && <CannedAnswers conversation={conversation} text={text} onText={onText} />}
        <Segments
          label="Edit answer as"
          value={isFields ? 'form' : 'json'}
          onChange={onMode}
          segments={[
            { value: 'form', label: 'Form', disabled: !hasFields },
            { value: 'json', label: 'JSON' },
          ]}
        />
      </h3>
      <div className={dialog.answer} data-answer>
        {isFields ? (
          <SamplingAnswer text={text} tools={conversation.tools} onText={onText} />
        ) : (
          <AnswerEditor item={item} text={text} onText={onText} />
        )}
      </div>
      {waits && (
        <details className={classes.rules}>
          <summary>Rules for future requests from {item.serverName}</summary>
          <SamplingRulesForm serverId={item.serverId} />
        </details>
      )}
    </>
  );
}

/** The texts that are being edited. They stay in the dialog after the request has ended, when nothing stores them any more. */
function useDrafts(id: InputId): Drafts {
  const { sampling } = useModel();
  const [texts] = useState(() => sampling.draftsOf(id));
  const [, setChanges] = useState(0);
  return useMemo(() => ({ texts, onChange: () => setChanges((count) => count + 1) }), [texts]);
}

interface Edits {
  /** The request as edited; undefined if unchanged. */
  edited: string | undefined;
  /** The messages that it has left, if that is known. */
  kept: KeptTurns | undefined;
}

/** The edits of a request. They stay after it has ended, when nothing stores them any more. */
function useEdits(id: InputId, waits: boolean): Edits {
  const { sampling } = useModel();
  const edited = useStore(sampling, ({ requests }) => requests[id]);
  const kept = useStore(sampling, ({ turns }) => turns[id]);
  const [last, setLast] = useState<Edits>({ edited, kept });
  if (waits && (edited !== last.edited || kept !== last.kept)) setLast({ edited, kept });
  return waits ? { edited, kept } : last;
}

interface EditedRequest {
  request: string;
  original: string;
  /** The text that is shown: that before an edit, until the edited one is read. */
  shown: string;
  kept: KeptTurns | undefined;
}

/** The messages of the text that is shown. */
function useKeptTurns({ request, original, shown, kept }: EditedRequest): KeptTurns {
  const now = useMemo(() => keptIn(request, original, kept), [request, original, kept]);
  const [last, setLast] = useState(now);
  if (now !== last && now.text === shown) setLast(now);
  return now.text === shown ? now : last;
}

/** What of a request the choice of a model needs; none of its messages. */
function preferencesOf(part: Reading): string | null {
  if (part.state === 'reading') return null;
  const { modelPreferences } = part.state === 'read' ? part.params : {};
  return writeJsonCompact(modelPreferences === undefined ? {} : { modelPreferences });
}
