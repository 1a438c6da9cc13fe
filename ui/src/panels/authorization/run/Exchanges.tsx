import type { AttemptItem, AttemptVerdict, AuthorizationStep } from '../../../contract/generated';
import { useReveal } from '../../../model/workspace/context';
import { isOfBrowser } from '../../../model/authorization/sequence';
import { formatCount } from '../../../model/text/format';
import { StepGlyph, statusColor } from '../../../widgets/status/StepGlyph';
import classes from '../authorization.module.css';
import { VERDICT_STATUSES } from './statuses';

const WORDS: Record<AttemptVerdict, string> = {
  ok: 'ok',
  absent: 'not found',
  refused: 'refused',
  failed: 'no response',
};

interface ExchangesProps {
  step: AuthorizationStep;
  attempts: readonly AttemptItem[];
}

/**
 * Every HTTP exchange of a step and its verdict, linked to its record. In the browser, there are only texts that the user pasted,
 * and a browser that could not be started.
 */
export function Exchanges({ step, attempts }: ExchangesProps) {
  const inBrowser = attempts.some(isOfBrowser) ? 'attempt' : 'pasted text';
  const one = step === 'authorization' ? inBrowser : 'exchange';
  return (
    <>
      <h3 className={classes.heading}>{formatCount(attempts.length, one)}</h3>
      <ol className={classes.exchanges}>
        {attempts.map((attempt, i) => (
          // The list only grows, and an exchange that was not sent has no id.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={i}>
            <Exchange attempt={attempt} />
          </li>
        ))}
      </ol>
    </>
  );
}

function Exchange({ attempt }: { attempt: AttemptItem }) {
  const reveal = useReveal();
  const { method, url, seq, status, verdict, words } = attempt;
  const verdictStatus = VERDICT_STATUSES[verdict];
  const word = isOfBrowser(attempt) ? 'not opened' : WORDS[verdict];
  const content = (
    <>
      <StepGlyph status={verdictStatus} size={14} label={word} />
      <span className="pb-mono">
        {method}{' '}
        <span style={{ color: statusColor(verdictStatus) }}>
          {status ?? (verdict === 'failed' ? word : '')}
        </span>
      </span>
      <span className={`${classes.seq} pb-num`}>{seq === null ? '' : `#${seq}`}</span>
      <span className={`${classes.request} pb-mono`}>{url}</span>
      <span className={classes.verdict}>{words}</span>
    </>
  );
  if (seq === null) return <div className={classes.exchange}>{content}</div>;
  return (
    <button
      type="button"
      className={classes.exchange}
      data-tip={`Show record ${seq} in the traffic log`}
      onClick={() => reveal(seq)}
    >
      {content}
    </button>
  );
}
