import { Button, Loader } from '@mantine/core';
import { IconAlertCircle, IconAlertTriangle } from '@tabler/icons-react';
import { LONG_LIMIT_MS } from '../../../model/form/check/checker';
import type { CheckState } from '../../../model/form/check/useCheck';
import { type Problem, pointerInWords } from '../../../model/form/check/validate';
import type { CheckedAnswer } from '../../../model/inbox/useAnswerCheck';
import { formatCount } from '../../../model/text/format';
import { LinkButton } from '../../../widgets/links/LinkButton';
import classes from '../InputDialog.module.css';

const MOST = 8;

interface AnswerProblemsProps {
  check: CheckedAnswer;
  /** Shows a field of the form, which says itself what is wrong with it; undefined if the answer is shown as JSON. */
  onField: ((pointer: string) => void) | undefined;
  /** The answer is sent as soon as it is checked. */
  isWaiting: boolean;
  /** Whether an answer that does not match may be sent nevertheless. */
  canSend: boolean;
  onAnyway: () => void;
}

/** Why an answer cannot be sent, or where it does not match what was requested. */
export function AnswerProblems({ check, onField, isWaiting, canSend, onAnyway }: AnswerProblemsProps) {
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
        <span className="pb-grow">Checking the answer…</span>
        <LinkButton onClick={onAnyway}>Send unchecked</LinkButton>
      </div>
    );
  }
  const { problems, ofContent } = check;
  if (problems.length === 0) return <NotChecked check={ofContent} />;
  return (
    <div className={classes.problems} data-tone="warn">
      <IconAlertTriangle size={14} aria-hidden />
      <div className="pb-grow">
        {onField === undefined ? (
          <Messages problems={problems} />
        ) : (
          <Fields problems={problems} onField={onField} />
        )}
        {canSend && (
          <p className={classes.anyway}>
            The answer does not match the requested schema. The server will probably reject it.{' '}
            <LinkButton onClick={onAnyway}>Send anyway</LinkButton>
          </p>
        )}
      </div>
    </div>
  );
}

/** What is wrong, and where in the JSON. */
function Messages({ problems }: { problems: readonly Problem[] }) {
  return (
    <ul aria-label={formatCount(problems.length, 'problem')}>
      {problems.slice(0, MOST).map(({ pointer, message }) => (
        <li key={`${pointer} ${message}`}>
          <code>{pointerInWords(pointer)}</code> {message}
        </li>
      ))}
      {problems.length > MOST && <li>and {formatCount(problems.length - MOST)} more</li>}
    </ul>
  );
}

interface FieldsProps {
  problems: readonly Problem[];
  onField: (pointer: string) => void;
}

/** The fields in which something is wrong, each a way to it; and what is wrong with no field. */
function Fields({ problems, onField }: FieldsProps) {
  const pointers = new Set(problems.map(({ pointer }) => pointer).filter(isField));
  const others = problems.filter(({ pointer }) => !isField(pointer));
  const named = [...pointers].slice(0, MOST);
  return (
    <>
      {others.length > 0 && <Messages problems={others} />}
      {named.length > 0 && (
        <ul
          className={classes.fields}
          aria-label={formatCount(pointers.size, 'field to correct', 'fields to correct')}
        >
          <li aria-hidden>To correct:</li>
          {named.map((pointer) => (
            <li key={pointer}>
              <LinkButton onClick={() => onField(pointer)}>
                {pointerInWords(pointer.slice('/content'.length))}
              </LinkButton>
            </li>
          ))}
          {pointers.size > MOST && <li>and {formatCount(pointers.size - MOST)} more</li>}
        </ul>
      )}
    </>
  );
}

function isField(pointer: string): boolean {
  return pointer.startsWith('/content/');
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
          ? 'Not checked: checking against the schema of this request takes too long. The answer can be sent; the server may reject it.'
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
