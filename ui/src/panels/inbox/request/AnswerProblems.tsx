import { Button, Loader } from '@mantine/core';
import { IconAlertCircle, IconAlertTriangle } from '@tabler/icons-react';
import { formatCount } from '../../model/text/format';
import { LONG_LIMIT_MS } from '../../model/form/check/checker';
import type { CheckState } from '../../model/form/check/useCheck';
import type { CheckedAnswer } from '../../model/inbox/useAnswerCheck';
import { pointerInWords } from '../../model/form/check/validate';
import classes from './InputDialog.module.css';

const MOST = 8;

/** Why an answer cannot be sent, or where it does not match what was requested. */
export function AnswerProblems({ check, isWaiting }: { check: CheckedAnswer; isWaiting: boolean }) {
  if (check.type === 'broken') {
    return (
      <div className={classes.problems} data-tone="error" role="status">
        <IconAlertCircle size={14} aria-hidden />
        <span>{check.reason}.</span>
      </div>
    );
  }
  if (isWaiting) {
    return (
      <div className={classes.problems} data-tone="warn" role="status">
        <Loader size={14} aria-hidden />
        <span>Checking the answer before it is sent …</span>
      </div>
    );
  }
  const { problems, ofContent } = check;
  if (problems.length === 0) return <NotChecked check={ofContent} />;
  return (
    <div className={classes.problems} data-tone="warn">
      <IconAlertTriangle size={14} aria-hidden />
      <ul aria-label={formatCount(problems.length, 'problem')}>
        {problems.slice(0, MOST).map(({ pointer, message }) => (
          <li key={`${pointer} ${message}`}>
            <code>{pointerInWords(pointer)}</code> {message}
          </li>
        ))}
        {problems.length > MOST && <li>and {formatCount(problems.length - MOST)} more</li>}
      </ul>
    </div>
  );
}

/** Why the content was not checked against the schema of the server; it can be sent. */
function NotChecked({ check: { validation, checkLonger } }: { check: CheckState }) {
  if (validation === null || validation.type === 'checked') return null;
  const isExpensive = validation.type === 'tooExpensive';
  return (
    <div className={classes.problems} data-tone="warn" role="note">
      <IconAlertTriangle size={14} aria-hidden />
      <span>
        {isExpensive
          ? 'Not checked: too expensive. The schema of this request takes too long to check; the answer can be sent, and the server may reject it.'
          : `Not checked against the schema of the request: ${validation.reason}`}
      </span>
      {isExpensive && (
        <Button
          variant="default"
          size="compact-xs"
          onClick={checkLonger}
          data-tip={`Checks this answer once more, for ${LONG_LIMIT_MS / 1000} s at most`}
        >
          Check longer
        </Button>
      )}
    </div>
  );
}
