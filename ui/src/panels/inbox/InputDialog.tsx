import { Button, Drawer } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { CommandError, InputAnswer, InputId, InputItem } from '../../contract/generated';
import { useModel } from '../../model/workspace/context';
import { commandError } from '../../model/store/errors';
import { contentOf, formOf } from '../../model/inbox/elicitation';
import { checkAnswer, quickAnswers, skeletonOf } from '../../model/inbox/inputAnswer';
import { useAnswerCheck } from '../../model/inbox/useAnswerCheck';
import { requestInWords } from '../../model/inbox/inputRequest';
import { indentJson } from '../../model/text/json';
import { shortcutText } from '../../model/workspace/shortcuts';
import { CodeText } from '../../widgets/code/CodeView';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import { JsonEditor } from '../../widgets/code/JsonEditor';
import { Segments } from '../../widgets/controls/Segments';
import { AnswerForm } from './AnswerForm';
import { AnswerProblems } from './AnswerProblems';
import classes from './InputDialog.module.css';
import { InputFacts } from './InputFacts';
import { InputSummary } from './InputSummary';
import { KindGlyph } from './KindGlyph';
import { SamplingAnswer, fieldsOf } from './sampling/SamplingAnswer';
import { SamplingModel } from './sampling/SamplingModel';
import { SamplingRequest } from './sampling/SamplingRequest';
import samplingClasses from './sampling/Sampling.module.css';
import { SamplingRulesForm } from './sampling/SamplingRulesForm';

/** For so many ms after opening, Ctrl-Enter does nothing: the keys may have been meant for the pane below. */
const NOT_BEFORE_MS = 400;

interface InputDialogProps {
  inputId: InputId;
  onClose: () => void;
}

/**
 * A request of a server and the answer to it, next to the call it belongs to. Closed without an answer, the request stays
 * pending and the draft is kept.
 */
export function InputDialog({ inputId, onClose }: InputDialogProps) {
  const { inputs } = useModel();
  const present = useStore(inputs, ({ items }) => items.find(({ id }) => id === inputId));
  const gone = useStore(inputs, ({ withdrawn }) => withdrawn.find(({ id }) => id === inputId));
  // A withdrawn request stays readable.
  const [item, setItem] = useState(present);
  if (present !== undefined && present !== item) setItem(present);

  // After "Later" the next request does not open automatically.
  const later = (): void => {
    for (const { id } of inputs.getState().items) inputs.offer(id);
    onClose();
  };

  return (
    <Drawer
      opened
      onClose={later}
      position="right"
      size="var(--pb-aside)"
      title={
        item === undefined ? (
          'Server request'
        ) : (
          <>
            <KindGlyph kind={item.kind} size={18} />
            {requestInWords(item)}
          </>
        )
      }
      withOverlay={false}
      lockScroll={false}
      trapFocus={false}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Later (the request stays pending)' }}
      transitionProps={{ duration: 100 }}
      classNames={{
        inner: classes.inner,
        content: classes.content,
        header: classes.header,
        title: classes.title,
        body: classes.body,
      }}
    >
      {item === undefined ? (
        <p className={classes.gone}>This request no longer exists.</p>
      ) : (
        <Request
          key={item.id}
          item={item}
          gone={present === undefined ? (gone?.reason ?? 'It was answered elsewhere.') : null}
          onClose={onClose}
          onLater={later}
        />
      )}
    </Drawer>
  );
}

interface RequestProps {
  item: InputItem;
  /** Why it is no longer pending; null while it is. */
  gone: string | null;
  onClose: () => void;
  onLater: () => void;
}

function Request({ item, gone, onClose, onLater }: RequestProps) {
  const { inputs, sampling } = useModel();
  const [error, setError] = useState<CommandError | null>(null);
  const [sending, setSending] = useState(false);
  /** The user has tried to send: missing fields are shown as errors from then on. */
  const [tried, setTried] = useState(false);
  const [mode, setMode] = useState<'form' | 'json'>('form');
  const draft = useStore(inputs, ({ drafts }) => drafts[item.id]);
  const skeleton = useMemo(() => skeletonOf(item), [item]);
  const request = useMemo(() => indentJson(item.paramsJson), [item.paramsJson]);
  const text = draft ?? skeleton;
  const form = useMemo(() => formOf(item), [item]);
  // A form can edit only the content of an answer that accepts.
  const shownForm = form?.type === 'form' && contentOf(text) !== null ? form : null;
  const isForm = shownForm !== null && mode === 'form';
  const isSampling = item.kind === 'sampling';
  const hasFields = isSampling && fieldsOf(text) !== null;
  const isFields = hasFields && mode === 'form';
  const edited = useStore(sampling, ({ requests }) => requests[item.id]);
  const check = useAnswerCheck(item, text);
  const { isPending } = check.ofContent;
  /** The answer that is sent as soon as it is checked. */
  const [awaited, setAwaited] = useState<string | null>(null);
  const isWaiting = isPending && awaited === text;
  const openedAt = useRef(0);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    openedAt.current = performance.now();
    root.current?.querySelector<HTMLElement>('[data-answer] :is(input, textarea, .cm-content)')?.focus();
  }, []);

  async function send(answer: InputAnswer): Promise<void> {
    setSending(true);
    setError(null);
    try {
      await inputs.answer(item.id, answer);
      onClose();
    } catch (thrown) {
      setError(commandError(thrown));
      setSending(false);
      void inputs.refresh();
    }
  }

  const sendText = (): void => {
    if (gone !== null || sending || check.type !== 'object') return;
    // A second time sends without waiting for the check.
    setAwaited(isPending && !isWaiting ? text : null);
    if (isPending && !isWaiting) return;
    setTried(true);
    if (isWaiting || tried || check.problems.length === 0) void send({ type: 'result', json: text });
  };
  const onChecked = useEffectEvent((): void => {
    if (awaited === text) sendText();
  });
  useEffect(() => {
    if (!isPending) onChecked();
  }, [isPending]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    // In the request for the model the keys do not mean the answer.
    if (event.target instanceof Element && event.target.closest('[data-request]') !== null) return;
    if (performance.now() - openedAt.current > NOT_BEFORE_MS) sendText();
  };
  const problems = check.type === 'object' ? check.problems.filter(({ missing }) => tried || !missing) : [];

  return (
    <div ref={root} className={classes.request} role="presentation" onKeyDown={onKeyDown}>
      <InputFacts item={item} waits={gone === null} onShow={onLater} />
      {gone !== null && (
        <div className={classes.withdrawn} role="alert">
          <IconBan size={16} aria-hidden />
          <span>
            <b>Withdrawn.</b> {gone} It can no longer be answered.
          </span>
        </div>
      )}
      <InputSummary item={item} hasForm={isForm} />
      {isSampling && (
        <>
          <SamplingRequest item={item} original={request} edited={edited} isGone={gone !== null} />
          {gone === null && <SamplingModel item={item} request={edited ?? request} />}
        </>
      )}
      {!isForm && !isSampling && (
        <>
          <h3 className={classes.heading}>Request</h3>
          <div className={classes.json}>
            <CodeText text={request} language="json" height="fill" label="Request" />
          </div>
        </>
      )}
      <h3 className={classes.heading}>
        Answer
        <span className={classes.grow} />
        {draft !== undefined && draft !== skeleton && gone === null && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            onClick={() => inputs.keepDraft(item.id, skeleton)}
          >
            Reset
          </Button>
        )}
        {(form?.type === 'form' || isSampling) && (
          <Segments
            label="Edit answer as"
            value={isForm || isFields ? 'form' : 'json'}
            onChange={(value) => setMode(value)}
            segments={[
              { value: 'form', label: 'Form', disabled: shownForm === null && !hasFields },
              { value: 'json', label: 'JSON' },
            ]}
          />
        )}
      </h3>
      <div className={classes.answer} data-answer>
        {isForm ? (
          <AnswerForm
            form={shownForm}
            text={text}
            problems={problems}
            onText={(next) => inputs.keepDraft(item.id, next)}
          />
        ) : isFields ? (
          <SamplingAnswer text={text} onText={(next) => inputs.keepDraft(item.id, next)} />
        ) : (
          <JsonEditor
            value={text}
            onChange={(next) => inputs.keepDraft(item.id, next)}
            label="Answer as JSON"
            check={(next) => {
              const found = checkAnswer(item, next);
              return found.type === 'broken' ? found : null;
            }}
          />
        )}
      </div>
      <AnswerProblems
        check={check.type === 'object' ? { ...check, problems } : check}
        isWaiting={isWaiting}
      />
      {error !== null && <CommandAlert error={error} onClose={() => setError(null)} />}
      {isSampling && gone === null && (
        <details className={samplingClasses.rules}>
          <summary>Rules for the next requests of {item.serverName}</summary>
          <SamplingRulesForm serverId={item.serverId} />
        </details>
      )}
      <div className={classes.foot}>
        <Button variant="subtle" color="gray" onClick={onLater}>
          {gone === null ? 'Later' : 'Close'}
        </Button>
        <span className={classes.grow} />
        {gone === null && (
          <>
            {quickAnswers(item.kind).map(({ label, meaning, answer }) => (
              <Button
                key={label}
                variant="default"
                disabled={sending}
                data-tip={meaning}
                onClick={() => void send(answer)}
              >
                {label}
              </Button>
            ))}
            <Button
              loading={sending}
              disabled={check.type === 'broken'}
              data-tip={`Send this answer (${shortcutText('run')})`}
              onClick={sendText}
            >
              {isWaiting ? 'Send unchecked' : tried && problems.length > 0 ? 'Send anyway' : 'Send answer'}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
