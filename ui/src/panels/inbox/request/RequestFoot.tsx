import { Button } from '@mantine/core';
import type { InputItem } from '../../../contract/generated';
import { useStore } from 'zustand';
import { urlRequestOf } from '../../../model/inbox/elicitation/urlRequest';
import { type QuickAnswer, quickAnswers } from '../../../model/inbox/inputAnswer';
import { paramsOf } from '../../../model/inbox/request/params';
import { focused } from '../../../widgets/layout/focused';
import { useModel } from '../../../model/workspace/context';
import { shortcutText } from '../../../model/workspace/shortcuts';
import classes from '../InputDialog.module.css';

interface RequestFootProps {
  item: InputItem;
  waits: boolean;
  sending: boolean;
  canSend: boolean;
  onLater: () => void;
  /** Starts the answer over; undefined if nothing was edited. */
  onReset: (() => void) | undefined;
  onQuick: (answer: QuickAnswer) => void;
  onSend: () => void;
}

/** The ways to end a request: later, one of the answers of one click, or the answer as it is. */
export function RequestFoot(props: RequestFootProps) {
  const { item, waits, sending, canSend, onLater, onReset, onQuick, onSend } = props;
  // The page of an elicitation in URL mode is opened first: its button is above.
  const params = item.kind === 'elicitation' ? paramsOf(item.paramsJson) : {};
  const isPage = params['mode'] === 'url';
  const { inputs } = useModel();
  const isOpened = useStore(inputs, ({ visited }) => visited.has(item.id));
  const isToOpen = isPage && !isOpened && urlRequestOf(params).canOpen;
  return (
    <div className={classes.foot}>
      <Button
        variant="subtle"
        color="gray"
        onClick={onLater}
        data-tip={waits ? 'Keeps it in the inbox' : undefined}
      >
        {waits ? 'Later' : 'Close'}
      </Button>
      {waits && onReset !== undefined && (
        <Button variant="subtle" color="gray" onClick={onReset}>
          Reset
        </Button>
      )}
      <span className={classes.grow} />
      {waits && (
        <>
          {quickAnswers(item.kind).map((quick) => (
            <Button
              key={quick.label}
              variant="default"
              disabled={sending}
              data-tip={quick.isCancel ? `${quick.meaning} (Esc)` : quick.meaning}
              onClick={() => onQuick(quick)}
            >
              {quick.label}
            </Button>
          ))}
          <Button
            variant={isToOpen ? 'default' : 'filled'}
            loading={sending}
            disabled={!canSend}
            data-tip={
              isPage
                ? `Answers {"action":"accept"} (${shortcutText('run')})`
                : `Send this answer (${shortcutText('run')})`
            }
            onClick={onSend}
          >
            {isPage ? 'Done' : 'Send answer'}
          </Button>
        </>
      )}
    </div>
  );
}

interface DiscardQuestionProps {
  answer: QuickAnswer;
  onKeep: () => void;
  onDiscard: () => void;
}

/** Asks before an answer that was begun is lost. */
export function DiscardQuestion({ answer, onKeep, onDiscard }: DiscardQuestionProps) {
  return (
    <div className={classes.problems} data-tone="warn" role="alertdialog" aria-label="Discard your answer?">
      <span className={classes.grow}>What you entered has not been sent.</span>
      <Button size="compact-xs" variant="default" ref={focused} onClick={onKeep}>
        Keep editing
      </Button>
      <Button size="compact-xs" color="red" variant="light" onClick={onDiscard}>
        Discard and {answer.label.toLowerCase()}
      </Button>
    </div>
  );
}
