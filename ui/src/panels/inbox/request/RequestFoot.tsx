import { Button } from '@mantine/core';
import type { InputItem } from '../../../contract/generated';
import { type PageState, usePage } from '../../../model/inbox/elicitation/usePage';
import { type QuickAnswer, quickAnswers } from '../../../model/inbox/inputAnswer';
import { focused } from '../../../widgets/focus/focused';
import { fixedText } from '../../../model/workspace/shortcuts';
import { useShortcutText } from '../../../model/workspace/shortcuts/bound';
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
  const page = usePage(item);
  const inbox = useShortcutText('inbox');
  return (
    <div className={classes.foot}>
      <Button
        variant="subtle"
        color="gray"
        onClick={onLater}
        data-tip={
          waits ? `Keeps it in the inbox${inbox === '' ? '' : `; ${inbox} opens it again`}` : undefined
        }
      >
        {waits ? 'Later' : 'Close'}
      </Button>
      {waits && onReset !== undefined && (
        <Button variant="subtle" color="gray" onClick={onReset}>
          Reset
        </Button>
      )}
      <span className="pb-grow" />
      {waits && (
        <>
          {quickAnswers(item).map((quick) => (
            <Button
              key={quick.label}
              variant={page === 'cannotOpen' && quick.isCancel !== true ? 'filled' : 'default'}
              disabled={sending}
              data-tip={quick.isCancel ? `${quick.meaning} (Esc)` : quick.meaning}
              onClick={() => onQuick(quick)}
            >
              {quick.label}
            </Button>
          ))}
          <Button
            variant={page === null || page === 'opened' ? 'filled' : 'default'}
            loading={sending}
            disabled={!canSend}
            data-tip={sendTip(page)}
            onClick={onSend}
          >
            {page === null ? 'Send answer' : page === 'cannotOpen' ? 'Accept' : 'Done'}
          </Button>
        </>
      )}
    </div>
  );
}

function sendTip(page: PageState | null): string {
  switch (page) {
    case null:
      return `Send this answer (${fixedText('run')})`;
    case 'opened':
      return `Sends {"action":"accept"} (${fixedText('run')})`;
    case 'toOpen':
      return 'Sends {"action":"accept"}, although the page was not opened here';
    case 'cannotOpen':
      return 'Sends {"action":"accept"}, although the page cannot be opened';
  }
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
      <span className="pb-grow">What you entered has not been sent.</span>
      <Button size="compact-xs" variant="default" ref={focused} onClick={onKeep}>
        Keep editing
      </Button>
      <Button size="compact-xs" color="red" variant="light" onClick={onDiscard}>
        Discard and {answer.label.toLowerCase()}
      </Button>
    </div>
  );
}
