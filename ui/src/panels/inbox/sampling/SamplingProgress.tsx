import { IconAlertCircle } from '@tabler/icons-react';
import type { SamplingRun } from '../../../model/inbox/sampling/sampling';
import classes from './Sampling.module.css';

/** Longer texts are cut at the beginning: the newest part is of interest while the answer arrives. */
const SHOWN = 4_000;

/** What a model answers, while it does, and how that ended. `isKept`: another answer is kept in its place. */
export function SamplingProgress({ run, isKept }: { run: SamplingRun; isKept: boolean }) {
  const { state, text, thinking, calls, failure, facts } = run;
  return (
    <section className={`${classes.progress} pb-selectable`} aria-label="Model answer">
      <p className={classes.state} role="status">
        {words(run, isKept)}
        {facts !== '' && <span className={classes.dim}> {facts}</span>}
      </p>
      {state !== 'finished' && (
        <>
          {thinking !== '' && text === '' && <p className={classes.thinking}>{tail(thinking)}</p>}
          {/* That of a model that was stopped is in the answer below. */}
          {text !== '' && state !== 'stopped' && <p className={classes.text}>{tail(text)}</p>}
          {calls.map(({ name, input }, i) => (
            // Calls have no identity other than their position.
            // oxlint-disable-next-line react/no-array-index-key
            <p key={i} className={classes.text}>
              <code>
                {name}({tail(input)})
              </code>
            </p>
          ))}
        </>
      )}
      {failure !== null && (
        <p className={classes.failure} role="alert">
          <IconAlertCircle size={14} aria-hidden />
          <span>
            {failure.cause} {failure.next}
            {failure.retryAfterMs !== null &&
              ` Retry in ${Math.ceil(failure.retryAfterMs / 1000).toLocaleString('en')} s.`}
          </span>
        </p>
      )}
    </section>
  );
}

function words({ state, model, text, calls }: SamplingRun, isKept: boolean): string {
  switch (state) {
    case 'running':
      return `${model} is answering…`;
    case 'finished':
      return isKept ? `${model} answered.` : `${model} answered. Check the answer below, then send it.`;
    case 'stopped':
      return text === '' || isKept
        ? `${model} was stopped.`
        : `${model} was stopped. What it wrote is below.`;
    case 'failed':
      return text === '' && calls.length === 0
        ? `${model} did not answer.`
        : `${model} did not answer completely.`;
  }
}

function tail(text: string): string {
  return text.length <= SHOWN ? text : `… ${text.slice(-SHOWN)}`;
}
