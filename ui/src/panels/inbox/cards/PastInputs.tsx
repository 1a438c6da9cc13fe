import { useStore } from 'zustand';
import type { AnswerOutcome, AnsweredInput } from '../../contract/generated';
import { kindWord } from '../../model/inbox/inputRequest';
import { useCause } from '../../model/inbox/useCause';
import { formatTime } from '../../model/text/format';
import { useModel, useReveal } from '../../model/workspace/context';
import classes from './Inbox.module.css';
import { KindGlyph } from './KindGlyph';

const OUTCOMES: Record<AnswerOutcome, string> = {
  accepted: 'Answered',
  declined: 'Declined',
  cancelled: 'Cancelled',
  refused: 'Refused',
};

/** What servers requested since Patchbay was started, what was answered, and by whom. */
export function AnsweredInputs() {
  const { inputs } = useModel();
  const answered = useStore(inputs, (state) => state.answered);
  if (answered.length === 0) return <p className={classes.note}>No request has been answered yet</p>;
  return (
    <ul className={classes.cards} aria-label="Answered requests">
      {answered.map((each) => (
        <li key={`${each.seq} ${each.atMs}`}>
          <Answered answered={each} />
        </li>
      ))}
    </ul>
  );
}

function Answered({ answered }: { answered: AnsweredInput }) {
  const reveal = useReveal();
  const { kind, serverName, seq, aboutSeq, outcome, rule, atMs } = answered;
  const cause = useCause(aboutSeq);
  const by = rule === null ? 'by you' : `by rule: ${rule}`;
  return (
    <button
      type="button"
      className={classes.card}
      data-tip={`${OUTCOMES[outcome]} ${by}. Click to show the request in the traffic log.`}
      data-tip-side="right"
      onClick={() => reveal(seq)}
    >
      <KindGlyph kind={kind} />
      <span className={classes.what}>
        <span className={`${classes.line} pb-ellipsis`}>
          <b>{kindWord(kind)}</b> {serverName}
        </span>
        <span className={`${classes.cause} pb-ellipsis`}>
          {OUTCOMES[outcome]} {by}
          {cause !== null && `, ${cause}`}
        </span>
      </span>
      <span className={`${classes.timer} pb-num`}>{formatTime(atMs).slice(0, 8)}</span>
    </button>
  );
}
