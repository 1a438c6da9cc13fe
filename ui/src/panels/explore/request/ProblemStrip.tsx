import { Button, Loader, VisuallyHidden } from '@mantine/core';
import { IconAlertCircle, IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { formatCount } from '../../../model/text/format';
import { LONG_LIMIT_MS } from '../../../model/form/check/checker';
import type { CheckState } from '../../../model/form/check/useCheck';
import { type Problem, pointerInWords } from '../../../model/form/check/validate';
import { Steady } from '../../../widgets/layout/Steady';
import classes from './request.module.css';

interface ProblemStripProps {
  problems: readonly Problem[];
  tried: boolean;
  /** How many requests were refused here: each is announced. */
  refusals: number;
  disabledReason: string | null;
  /** The check of the values, where there is one. */
  check?: CheckState;
  /** The request is sent as soon as the check is done. */
  isWaiting?: boolean;
  onAnyway: () => void;
}

/** Where the arguments are not what the server declares. They can still be sent. */
export function ProblemStrip(props: ProblemStripProps) {
  const { problems, refusals, disabledReason } = props;
  return (
    <>
      {refusals > 0 && disabledReason === null && <Refusal key={refusals} problems={problems} />}
      <Steady>
        <Strip {...props} />
      </Steady>
    </>
  );
}

/** Tells screen readers why a request was not sent, as it was then: the list is read by who looks for it, and changes with each key. */
function Refusal({ problems }: { problems: readonly Problem[] }) {
  const [text] = useState(() => refusalText(problems));
  return <VisuallyHidden role="alert">{text}</VisuallyHidden>;
}

function refusalText([first, ...others]: readonly Problem[]): string {
  if (first === undefined) return '';
  const why = `Not sent: ${pointerInWords(first.pointer)} ${first.message}`;
  return others.length === 0 ? `${why}.` : `${why}, and ${formatCount(others.length, 'more problem')}.`;
}

function Strip(props: ProblemStripProps) {
  const { problems, tried, refusals, disabledReason, check, isWaiting = false, onAnyway } = props;
  if (disabledReason !== null) {
    return (
      <div key={refusals} className={classes.strip} data-tone="error" role="alert">
        <IconAlertCircle size={14} />
        <span>{disabledReason}</span>
      </div>
    );
  }
  if (isWaiting) {
    return (
      <output className={classes.strip} data-late aria-live="polite">
        <Loader size={14} aria-hidden />
        <span>Checking the values…</span>
        <Button variant="default" onClick={onAnyway}>
          Send unchecked
        </Button>
      </output>
    );
  }
  if (problems.length > 0) {
    return (
      <div className={classes.strip} data-tone="error">
        <IconAlertCircle size={14} />
        <ul className={classes.problems} aria-label={formatCount(problems.length, 'problem')}>
          {problems.slice(0, 20).map(({ pointer, message }) => (
            <li key={`${pointer} ${message}`}>
              <code>{pointerInWords(pointer)}</code> {message}
            </li>
          ))}
          {problems.length > 20 && <li>and {formatCount(problems.length - 20)} more</li>}
        </ul>
        {tried && (
          <Button variant="default" onClick={onAnyway}>
            Send anyway
          </Button>
        )}
      </div>
    );
  }
  if (check === undefined) return null;
  const { validation } = check;
  if (validation?.type === 'tooExpensive') return <TooExpensive onLonger={check.checkLonger} />;
  if (validation?.type !== 'notChecked') return null;
  return (
    <div className={classes.strip} data-tone="warn">
      <IconAlertTriangle size={14} />
      <span>Not checked against the input schema: {validation.reason}</span>
    </div>
  );
}

/** The schema of the server makes the check too long. What is sent is not affected. */
function TooExpensive({ onLonger }: { onLonger: () => void }) {
  return (
    <div className={classes.strip} data-tone="warn">
      <IconAlertTriangle size={14} />
      <span>
        Not checked: checking against this schema takes too long. The values are sent unchecked; the server
        may reject them.
      </span>
      <Button
        variant="default"
        onClick={onLonger}
        data-tip={`Checks these values once more, for ${LONG_LIMIT_MS / 1000} s at most`}
      >
        Check longer
      </Button>
    </div>
  );
}
