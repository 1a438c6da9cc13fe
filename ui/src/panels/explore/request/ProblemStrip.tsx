import { Button } from '@mantine/core';
import { IconAlertCircle, IconAlertTriangle } from '@tabler/icons-react';
import { formatCount } from '../../../model/text/format';
import { type Problem, pointerInWords } from '../../../model/form/validate';
import classes from './request.module.css';

interface ProblemStripProps {
  problems: Problem[];
  tried: boolean;
  disabledReason: string | null;
  notChecked: string | null;
  onAnyway: () => void;
}

/** Where the arguments are not what the server declares. They can still be sent. */
export function ProblemStrip({ problems, tried, disabledReason, notChecked, onAnyway }: ProblemStripProps) {
  if (disabledReason !== null) {
    return (
      <div className={classes.strip} data-tone="error" role="alert">
        <IconAlertCircle size={14} />
        <span>{disabledReason}</span>
      </div>
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
  if (notChecked === null) return null;
  return (
    <div className={classes.strip} data-tone="warn">
      <IconAlertTriangle size={14} />
      <span>Not checked against the input schema: {notChecked}</span>
    </div>
  );
}
