import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { CommandError, InputAnswer, InputItem } from '../../../contract/generated';
import { contentOf, formOf } from '../../../model/inbox/elicitation/elicitation';
import { mayKeepDraft, withAnswer } from '../../../model/inbox/elicitation/earlierAnswers';
import type { RequestEnd } from '../../../model/inbox/history';
import { type QuickAnswer, quickAnswers, skeletonOf } from '../../../model/inbox/inputAnswer';
import { paramsOf } from '../../../model/inbox/request/params';
import { usePage } from '../../../model/inbox/elicitation/usePage';
import { useAnswerCheck } from '../../../model/inbox/useAnswerCheck';
import { commandError } from '../../../model/store/errors';
import type { Problem } from '../../../model/form/check/validate';
import { useModel } from '../../../model/workspace/context';
import { DeprecatedNote } from '../../../widgets/links/DeprecatedNote';
import classes from '../InputDialog.module.css';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { Steady } from '../../../widgets/layout/Steady';
import { ElicitationRequest } from '../elicitation/ElicitationRequest';
import { RootsRequest } from '../roots/RootsRequest';
import { SimulatorNote } from '../simulator/SimulatorNote';
import { SamplingDialogBody } from '../sampling/SamplingDialogBody';
import { AnswerProblems } from './AnswerProblems';
import type { AnswerProps } from './answerProps';
import { EndedCallNote } from './EndedCallNote';
import { GoneNote } from './GoneNote';
import { InputFacts } from './InputFacts';
import { DiscardQuestion, RequestFoot } from './RequestFoot';
import { useRequestKeys } from './useRequestKeys';

export interface RequestProps {
  item: InputItem;
  /** How it ended; null while it is pending. */
  gone: RequestEnd | null;
  onClose: () => void;
  onLater: () => void;
}

/** One request: what is asked, the answer, and the ways to end it. */
export function Request({ item, gone, onClose, onLater }: RequestProps) {
  const { inputs, ui } = useModel();
  const [error, setError] = useState<CommandError | null>(null);
  const [sending, setSending] = useState(false);
  /** The user has tried to send: missing fields are shown as errors from then on. */
  const [tried, setTried] = useState(false);
  /** What would be answered instead of the draft, which the user is asked about. */
  const [instead, setInstead] = useState<QuickAnswer | null>(null);
  const stored = useStore(inputs, ({ drafts }) => drafts[item.id]);
  // What was written stays within reach, although nothing keeps it for a request that was answered.
  const [kept, keep] = useState(stored);
  if (stored !== undefined && stored !== kept) keep(stored);
  const draft = stored ?? kept;
  const skeleton = useMemo(() => skeletonOf(item), [item]);
  const text = draft ?? skeleton;
  const isEdited = draft !== undefined && draft !== skeleton;
  const check = useAnswerCheck(item, text);
  /** Something that is shown is being looked up. */
  const [isLookedUp, setLookedUp] = useState(false);
  const isPending = isLookedUp || check.ofContent.isPending;
  const [mode, setMode] = useState<'form' | 'json'>('form');
  const form = useMemo(() => (item.kind === 'elicitation' ? formOf(item) : null), [item]);
  /** Whether each problem of the content is said where its field is. */
  const isForm = mode === 'form' && form?.type === 'form' && contentOf(text) !== null;
  /** The answer that is sent as soon as it is checked. */
  const [awaited, setAwaited] = useState<string | null>(null);
  const isWaiting = isPending && awaited === text;
  const root = useRef<HTMLDivElement>(null);
  const quick = quickAnswers(item);

  async function send(answer: InputAnswer): Promise<void> {
    setSending(true);
    setInstead(null);
    setError(null);
    try {
      await inputs.answer(item.id, answer);
      if (answer.type === 'result') remember(answer.json);
      onClose();
    } catch (thrown) {
      setError(commandError(thrown));
      setSending(false);
      void inputs.refresh();
    }
  }
  const remember = (json: string): void => {
    const content = item.kind === 'elicitation' ? contentOf(json) : null;
    if (content === null) return;
    const params = paramsOf(item.paramsJson);
    ui.setState((state) => withAnswer(state, item.serverId, { params, content, atMs: Date.now() }));
  };
  const sendText = (anyway: boolean): void => {
    if (gone !== null || sending || check.type !== 'object') return;
    setAwaited(isPending && !anyway ? text : null);
    if (isPending && !anyway) return;
    setTried(true);
    if (anyway || check.problems.length === 0) void send({ type: 'result', json: text });
    else focusProblem(root.current);
  };
  const onChecked = useEffectEvent((): void => {
    if (awaited === text) sendText(false);
  });
  useEffect(() => {
    if (!isPending) onChecked();
  }, [isPending]);
  const end = (answer: QuickAnswer): void => {
    if (gone !== null || sending) return;
    if (isEdited) setInstead(answer);
    else void send(answer.answer);
  };
  const cancel = quick.find(({ isCancel }) => isCancel);
  const page = usePage(item);
  useRequestKeys(root, {
    // A page that was not opened is not agreed to with a key.
    onSend: () => (page === 'opened' || page === null || isEdited) && sendText(false),
    onEscape: (isEarly) => {
      if (instead !== null) setInstead(null);
      // Keys after an edit were meant for this dialog, however soon they come.
      else if (cancel === undefined || gone !== null || (isEarly && !isEdited)) onLater();
      else end(cancel);
    },
  });

  // Nothing needs to be corrected in an answer that can no longer be sent.
  const isShown = ({ missing }: Problem): boolean => gone === null && !isLookedUp && (tried || !missing);
  const shown = check.type === 'object' ? { ...check, problems: check.problems.filter(isShown) } : check;
  const answer: AnswerProps = {
    item,
    text,
    onText: (next) => inputs.keepDraft(item.id, next, mayKeepDraft),
    onFound: (next) => {
      setAwaited((before) => (before === text ? next : before));
      inputs.keepDraft(item.id, next, mayKeepDraft);
    },
    onPending: setLookedUp,
    check: shown,
    mode,
    onMode: setMode,
    form,
    waits: gone === null,
    onSend: () => sendText(false),
  };
  return (
    <div ref={root} className={classes.request} tabIndex={-1} role="presentation">
      <InputFacts item={item} waits={gone === null} onShow={onLater} />
      {gone === null && <SimulatorNote item={item} />}
      {item.kind !== 'elicitation' && <DeprecatedNote feature={item.kind} />}
      <Steady>
        {gone === null && <EndedCallNote item={item} disabled={sending} onEnd={end} />}
        {gone !== null && <GoneNote item={item} end={gone} draft={isEdited ? text : null} />}
      </Steady>
      {item.kind === 'elicitation' && <ElicitationRequest {...answer} />}
      {item.kind === 'sampling' && <SamplingDialogBody {...answer} />}
      {item.kind === 'roots' && <RootsRequest {...answer} />}
      {gone === null && (
        <AnswerProblems
          check={shown}
          onField={isForm ? (pointer) => focusField(root.current, pointer) : undefined}
          isWaiting={isWaiting}
          canSend={tried}
          onAnyway={() => sendText(true)}
        />
      )}
      {error !== null && <CommandAlert error={error} onClose={() => setError(null)} />}
      {instead !== null && (
        <DiscardQuestion
          answer={instead}
          onKeep={() => setInstead(null)}
          onDiscard={() => void send(instead.answer)}
        />
      )}
      <RequestFoot
        item={item}
        waits={gone === null}
        sending={sending}
        canSend={check.type === 'object'}
        onLater={onLater}
        onReset={isEdited ? () => inputs.keepDraft(item.id, skeleton, mayKeepDraft) : undefined}
        onQuick={end}
        onSend={() => sendText(false)}
      />
    </div>
  );
}

/** The first field that is wrong. */
function focusProblem(root: HTMLElement | null): void {
  requestAnimationFrame(() => {
    focusIn(root?.querySelector('[data-invalid]'));
  });
}

/** The field of a problem, by the pointer in the answer. */
function focusField(root: HTMLElement | null, pointer: string): void {
  focusIn(root?.querySelector(`[data-field=${JSON.stringify(pointer.slice('/content'.length))}]`));
}

function focusIn(field: Element | null | undefined): void {
  field?.querySelector<HTMLElement>('input, textarea, .cm-content, button')?.focus();
  field?.scrollIntoView({ block: 'nearest' });
}
