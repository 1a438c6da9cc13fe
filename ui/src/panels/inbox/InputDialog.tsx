import { Button, Drawer } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { CommandError, InputAnswer, InputId, InputItem } from '../../contract/generated';
import { useModel } from '../../model/workspace/context';
import { commandError } from '../../model/store/errors';
import { checkAnswer, quickAnswers, skeletonOf } from '../../model/inbox/inputAnswer';
import { askInWords } from '../../model/inbox/inputRequest';
import { indentJson } from '../../model/text/json';
import { shortcutText } from '../../model/workspace/shortcuts';
import { CodeText } from '../../widgets/code/CodeView';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import { JsonEditor } from '../../widgets/code/JsonEditor';
import { AnswerProblems } from './AnswerProblems';
import classes from './InputDialog.module.css';
import { InputFacts } from './InputFacts';
import { InputSummary } from './InputSummary';
import { KindGlyph } from './KindGlyph';

/** Keys meant for what was there before are not taken for an answer, in ms. */
const NOT_BEFORE_MS = 400;

interface InputDialogProps {
  inputId: InputId;
  onClose: () => void;
}

/**
 * What a server asks, whole, and the answer to it. It stands at the side, and the window makes room: the call it belongs to stays in view.
 * Closed without an answer, the request goes on waiting, and what was written is kept.
 */
export function InputDialog({ inputId, onClose }: InputDialogProps) {
  const { inputs } = useModel();
  const present = useStore(inputs, ({ items }) => items.find(({ id }) => id === inputId));
  const gone = useStore(inputs, ({ withdrawn }) => withdrawn.find(({ id }) => id === inputId));
  // It stays to be read when it is withdrawn.
  const [item, setItem] = useState(present);
  if (present !== undefined && present !== item) setItem(present);

  // Whoever says "later" is not asked the next one at once.
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
          'Request of a server'
        ) : (
          <>
            <KindGlyph kind={item.kind} size={18} />
            {askInWords(item)}
          </>
        )
      }
      withOverlay={false}
      lockScroll={false}
      trapFocus={false}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Later: it goes on waiting' }}
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
        <p className={classes.gone}>This request is no longer there.</p>
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
  /** Why it is no longer wanted, if so. */
  gone: string | null;
  onClose: () => void;
  onLater: () => void;
}

function Request({ item, gone, onClose, onLater }: RequestProps) {
  const { inputs } = useModel();
  const [error, setError] = useState<CommandError | null>(null);
  const [sending, setSending] = useState(false);
  const draft = useStore(inputs, ({ drafts }) => drafts[item.id]);
  const skeleton = useMemo(() => skeletonOf(item), [item]);
  const request = useMemo(() => indentJson(item.paramsJson), [item.paramsJson]);
  const text = draft ?? skeleton;
  const check = useMemo(() => checkAnswer(item, text), [item, text]);
  const openedAt = useRef(0);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    openedAt.current = performance.now();
    root.current?.querySelector<HTMLElement>('[data-answer] .cm-content')?.focus();
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
    if (gone === null && !sending && check.type === 'object') void send({ type: 'result', json: text });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    if (performance.now() - openedAt.current > NOT_BEFORE_MS) sendText();
  };
  const problems = check.type === 'object' ? check.problems : [];

  return (
    <div ref={root} className={classes.request} role="presentation" onKeyDown={onKeyDown}>
      <InputFacts item={item} waits={gone === null} onShow={onLater} />
      {gone !== null && (
        <div className={classes.withdrawn} role="alert">
          <IconBan size={16} aria-hidden />
          <span>
            <b>Withdrawn.</b> {gone} Nothing can be sent any more.
          </span>
        </div>
      )}
      <InputSummary item={item} />
      <h3 className={classes.heading}>Request</h3>
      <div className={classes.json}>
        <CodeText text={request} language="json" height="fill" label="Request" />
      </div>
      <h3 className={classes.heading}>
        Answer
        {draft !== undefined && draft !== skeleton && gone === null && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            onClick={() => inputs.keepDraft(item.id, skeleton)}
          >
            Start over
          </Button>
        )}
      </h3>
      <div className={classes.answer} data-answer>
        <JsonEditor
          value={text}
          onChange={(next) => inputs.keepDraft(item.id, next)}
          label="Answer as JSON"
          check={(next) => {
            const found = checkAnswer(item, next);
            return found.type === 'broken' ? found : null;
          }}
        />
      </div>
      <AnswerProblems check={check} />
      {error !== null && <CommandAlert error={error} onClose={() => setError(null)} />}
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
              data-tip={`Sends what stands above (${shortcutText('run')})`}
              onClick={sendText}
            >
              {problems.length > 0 ? 'Send anyway' : 'Send answer'}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
