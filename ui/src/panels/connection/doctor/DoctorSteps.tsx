import type { DoctorStep, Seq } from '../../../contract/generated';
import { formatDuration } from '../../../model/text/format';
import { LinkButton } from '../../../widgets/links/LinkButton';
import { StepGlyph, statusColor } from '../../../widgets/status/StepGlyph';
import { Fact, Facts } from '../../../widgets/facts/Facts';
import classes from './Doctor.module.css';

interface DoctorStepsProps {
  steps: readonly DoctorStep[];
  /** Selects a record. */
  onShow: (seq: Seq) => void;
}

/** The checks in order, failed ones expanded. */
export function DoctorSteps({ steps, onShow }: DoctorStepsProps) {
  return (
    <ol className={`${classes.steps} pb-selectable`} aria-label="Steps">
      {steps.map((step) => (
        <Step key={step.index} step={step} onShow={onShow} />
      ))}
    </ol>
  );
}

function Step({ step, onShow }: { step: DoctorStep; onShow: (seq: Seq) => void }) {
  const { status, title, sent, received, next, durationMs, seq } = step;
  const facts = [
    { name: 'Sent', text: sent, mono: true },
    { name: 'Received', text: received, mono: true },
    { name: 'What to do', text: next, mono: false },
  ].filter(({ text }) => text !== null && text !== '' && status !== 'skipped');
  return (
    <li className={classes.step} data-status={status}>
      <div className={classes.head}>
        <StepGlyph status={status} />
        <span className={classes.title}>
          {title}
          {status === 'skipped' && received !== null && <span className={classes.why}>{received}</span>}
        </span>
        <span className={classes.word} style={{ color: statusColor(status) }}>
          {status}
        </span>
        <span className={`${classes.time} pb-num`}>
          {durationMs === null ? '' : formatDuration(durationMs)}
        </span>
        <span className={classes.record}>
          {seq !== null && (
            <LinkButton onClick={() => onShow(seq)} data-tip="Show in Traffic">
              #{seq}
            </LinkButton>
          )}
        </span>
      </div>
      {facts.length > 0 && (
        <div className={classes.facts}>
          <Facts names={84} size="small">
            {facts.map(({ name, text, mono }) => (
              <Fact key={name} name={name} mono={mono} className={classes.fact}>
                {text}
              </Fact>
            ))}
          </Facts>
        </div>
      )}
    </li>
  );
}
