import { useMemo } from 'react';
import { useStore } from 'zustand';
import { type PastInput, historyOf } from '../../../model/inbox/history';
import { kindWord } from '../../../model/inbox/inputRequest';
import { useCause } from '../../../model/inbox/useCause';
import { formatTime } from '../../../model/text/format';
import { useModel, useReveal } from '../../../model/workspace/context';
import { moveInList } from '../../../widgets/focus/listFocus';
import classes from '../Inbox.module.css';
import { KindGlyph } from '../KindGlyph';

/** What servers requested since Patchbay was started, and what became of it: answered, by whom, or withdrawn. */
export function PastInputs() {
  const { inputs } = useModel();
  const answered = useStore(inputs, (state) => state.answered);
  const withdrawn = useStore(inputs, (state) => state.withdrawn);
  const past = useMemo(() => historyOf({ answered, withdrawn }), [answered, withdrawn]);
  if (past.length === 0) return <p className={classes.note}>No request has been answered yet</p>;
  return (
    <>
      <h3 className={classes.past}>Answered and withdrawn</h3>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows move between the cards */}
      <ul className={classes.cards} aria-label="Answered requests" onKeyDown={moveInList}>
        {past.map((each) => (
          <li key={`${each.seq} ${each.atMs}`}>
            <Past past={each} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Past({ past }: { past: PastInput }) {
  const reveal = useReveal();
  const { kind, serverName, seq, aboutSeq, atMs, words, isWithdrawn } = past;
  const cause = useCause(aboutSeq);
  return (
    <button
      type="button"
      className={classes.card}
      data-entry
      data-withdrawn={isWithdrawn || undefined}
      data-tip={`${words}${/[.!?]$/.test(words) ? '' : '.'} Click to show the request in the traffic log.`}
      data-tip-side="right"
      onClick={() => reveal(seq)}
    >
      <KindGlyph kind={kind} />
      <span className={classes.what}>
        <span className={`${classes.line} pb-ellipsis`}>
          <b>{kindWord(kind)}</b> {serverName}
        </span>
        <span className={`${classes.cause} pb-ellipsis`}>
          {words}
          {cause !== null && `, ${cause}`}
        </span>
      </span>
      <span className={`${classes.timer} pb-num`}>{formatTime(atMs).slice(0, 8)}</span>
    </button>
  );
}
