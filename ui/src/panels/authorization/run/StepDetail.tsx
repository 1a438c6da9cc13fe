import { Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import type {
  AuthorizationFailureItem,
  AuthorizationStep,
  FactItem,
  RunItem,
  ServerId,
  StepItem,
} from '../../../contract/generated';
import {
  foldMasks,
  isUnderWay,
  stepName,
  stepStateWord,
} from '../../../model/authorization/authorizationWords';
import { useAuthorization, useModel } from '../../../model/workspace/context';
import { asSentence, formatDuration } from '../../../model/text/format';
import { RecordLink } from '../../../widgets/links/RecordLink';
import { SpecLink } from '../../../widgets/links/SpecLink';
import { StepGlyph, statusColor } from '../../../widgets/status/StepGlyph';
import { BrowserWait } from '../BrowserWait';
import { Exchanges } from './Exchanges';
import { Question } from '../Question';
import { useWhyUnused } from '../useWhyUnused';
import { Fact, Facts } from '../../../widgets/facts/Facts';
import classes from '../authorization.module.css';
import { STEP_STATUSES } from './statuses';

interface StepDetailProps {
  serverId: ServerId;
  run: RunItem;
  step: StepItem;
}

/** A run can restart at these steps; the others happen only when a server or the user triggers them. */
const BEGINS: readonly AuthorizationStep[] = [
  'challenge',
  'resourceMetadata',
  'serverMetadata',
  'registration',
  'authorization',
  'token',
];

/** One step: its purpose, what it waits for or why it failed, its exchanges and its findings. */
export function StepDetail({ serverId, run, step }: StepDetailProps) {
  const { state, durationMs, explanation, summary, failure, attempts, facts } = step;
  const status = STEP_STATUSES[state];
  const asks = run.state === 'waiting' && state === 'waiting';
  return (
    <section className={`${classes.detail} pb-selectable`} aria-label={stepName(step.step)}>
      <div className={classes.detailHead}>
        <StepGlyph status={status} size={18} />
        <div className={classes.headText}>
          <h2 className={classes.title}>{stepName(step.step)}</h2>
          <span className={classes.stands}>
            <span style={{ color: statusColor(status) }}>{stepStateWord(state)}</span>
            {durationMs !== null && state !== 'skipped' && (
              <span className="pb-num">{formatDuration(durationMs)}</span>
            )}
          </span>
        </div>
        <Retry serverId={serverId} run={run} step={step} />
      </div>
      <p className={classes.explanation}>{explanation}</p>
      {failure !== null && <Failure failure={failure} />}
      {asks && run.question !== null && run.question.type !== 'callback' && (
        <Question serverId={serverId} runId={run.id} question={run.question} />
      )}
      {asks &&
        step.step === 'authorization' &&
        (run.question === null || run.question.type === 'callback') && (
          <BrowserWait serverId={serverId} run={run} since={step.startedAtMs} />
        )}
      {summary !== '' && failure === null && <p className={classes.summary}>{summary}</p>}
      {attempts.length > 0 && <Exchanges step={step.step} attempts={attempts} />}
      {facts.length > 0 && <FoundFacts facts={facts} />}
    </section>
  );
}

/** Restarts the run at this step, with the findings of the earlier ones. */
function Retry({ serverId, run, step }: StepDetailProps) {
  const { authorizations } = useModel();
  const { busy, earlier, data } = useAuthorization(serverId);
  const unused = useWhyUnused(serverId);
  // Only the latest run can be restarted; the engine keeps the findings of its steps.
  if (earlier !== null || run.id !== data?.run?.id) return null;
  if (!BEGINS.includes(step.step) || step.state === 'pending' || isUnderWay(run)) return null;
  return (
    <Button
      variant={step.state === 'failed' ? 'filled' : 'default'}
      loading={busy}
      leftSection={<IconPlayerPlay size={14} />}
      disabled={unused !== null}
      data-tip={unused ?? 'Restarts at this step, keeping the results of the earlier steps'}
      onClick={() => void authorizations.start(serverId, step.step)}
    >
      Retry from here
    </Button>
  );
}

function Failure({ failure }: { failure: AuthorizationFailureItem }) {
  const { cause, rule, next, seq } = failure;
  return (
    <Facts tone="error">
      <Fact name="Cause">{asSentence(cause)}</Fact>
      {rule !== null && (
        <Fact name="Rule">
          <SpecLink name={rule.name} url={rule.url} />
        </Fact>
      )}
      <Fact name="What to do">{next}</Fact>
      {seq !== null && (
        <Fact name="Exchange">
          <RecordLink seq={seq} label={`#${seq}`} />
        </Fact>
      )}
    </Facts>
  );
}

function FoundFacts({ facts }: { facts: FactItem[] }) {
  return (
    <>
      <h3 className={classes.heading}>Found</h3>
      <Facts names="minmax(96px, max-content)">
        {facts.map(({ name, value }, i) => (
          // A name may occur twice; the order never changes.
          // oxlint-disable-next-line react/no-array-index-key
          <Fact key={i} name={<span className={`${classes.factName} pb-mono`}>{name}</span>} mono>
            {foldMasks(value)}
          </Fact>
        ))}
      </Facts>
    </>
  );
}
