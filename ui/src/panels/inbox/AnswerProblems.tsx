import { IconAlertCircle, IconAlertTriangle } from '@tabler/icons-react';
import { formatCount } from '../../model/text/format';
import type { AnswerCheck } from '../../model/inbox/inputAnswer';
import { pointerInWords } from '../../model/form/validate';
import classes from './InputDialog.module.css';

const MOST = 8;

/** Why an answer cannot be sent, or where it does not match what was requested. */
export function AnswerProblems({ check }: { check: AnswerCheck }) {
  if (check.type === 'broken') {
    return (
      <div className={classes.problems} data-tone="error" role="status">
        <IconAlertCircle size={14} aria-hidden />
        <span>{check.reason}.</span>
      </div>
    );
  }
  const { problems } = check;
  if (problems.length === 0) return null;
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
