import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import type { AuthorizationStep, RunItem, StepItem } from '../../../contract/generated';
import { causeWords, stepName, stepStateWord } from '../../../model/authorization/authorizationWords';
import { asSentence, formatDuration, formatTime } from '../../../model/text/format';
import { Elapsed } from '../../../widgets/status/RecordStatus';
import { StepGlyph, statusColor } from '../../../widgets/status/StepGlyph';
import classes from '../authorization.module.css';
import { STEP_STATUSES } from './statuses';

interface StepperProps {
  run: RunItem;
  shown: AuthorizationStep | null;
  onShow: (step: AuthorizationStep) => void;
  /** Enter: moves the focus into the step. */
  onOpen: () => void;
}

/** The steps of a run. Arrow keys move, Enter goes into the step. */
export function Stepper({ run, shown, onShow, onOpen }: StepperProps) {
  const id = useId();
  const at = run.steps.findIndex(({ step }) => step === shown);

  function onKeyDown(event: KeyboardEvent): void {
    const last = run.steps.length - 1;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last }[event.key];
    if (event.key === 'Enter') onOpen();
    else if (to === undefined) return;
    else {
      const next = run.steps[Math.min(Math.max(0, to), last)];
      if (next !== undefined) onShow(next.step);
    }
    event.preventDefault();
  }

  return (
    <div className={classes.steps}>
      <div
        className={classes.list}
        role="listbox"
        aria-label="Steps"
        tabIndex={0}
        aria-activedescendant={shown === null ? undefined : `${id}-${shown}`}
        onKeyDown={onKeyDown}
      >
        {run.steps.map((step) => (
          <Step
            key={step.step}
            id={`${id}-${step.step}`}
            step={step}
            isShown={step.step === shown}
            onShow={onShow}
          />
        ))}
      </div>
      <p className={`${classes.why} pb-selectable`}>
        <span className="pb-num">{formatTime(run.startedAtMs)}</span> · {causeWords(run.cause)}
        {run.endedAtMs !== null && (
          <>
            {' · '}
            <span className="pb-num">{formatDuration(run.endedAtMs - run.startedAtMs)}</span> in total
          </>
        )}
        .
      </p>
    </div>
  );
}

interface StepProps {
  id: string;
  step: StepItem;
  isShown: boolean;
  onShow: (step: AuthorizationStep) => void;
}

function Step({ id, step, isShown, onShow }: StepProps) {
  const row = useRef<HTMLDivElement>(null);
  const { state, startedAtMs, durationMs, summary, failure } = step;
  useEffect(() => {
    if (isShown) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);
  const text = asSentence(failure?.cause ?? summary);
  return (
    // The list has the focus and handles the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      ref={row}
      id={id}
      role="option"
      aria-selected={isShown}
      aria-label={`${stepName(step.step)}: ${stepStateWord(state)}${text === '' ? '' : `. ${text}`}`}
      className={classes.step}
      data-state={state}
      onClick={() => onShow(step.step)}
    >
      <span className={classes.mark}>
        <StepGlyph status={STEP_STATUSES[state]} />
      </span>
      <span className={classes.stepHead}>
        <span className={classes.stepName}>{stepName(step.step)}</span>
        <span className={`${classes.stepTime} pb-num`}>
          {state === 'running' || state === 'waiting'
            ? startedAtMs !== null && <Elapsed sinceAtMs={startedAtMs} />
            : durationMs !== null && state !== 'skipped' && formatDuration(durationMs)}
        </span>
      </span>
      <span className={classes.stepText}>
        {(state === 'failed' || state === 'waiting') && (
          <span style={{ color: statusColor(STEP_STATUSES[state]) }}>{stepStateWord(state)}. </span>
        )}
        {state === 'skipped' && text === '' ? stepStateWord(state) : text}
      </span>
    </div>
  );
}
