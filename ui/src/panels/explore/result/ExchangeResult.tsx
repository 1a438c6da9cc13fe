import { Button } from '@mantine/core';
import { IconArrowsLeftRight, IconRefresh } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useReveal } from '../../../model/workspace/context';
import { formatDuration, formatSize } from '../../../model/text/format';
import { type Exchange, rawOf, statusOf } from '../../../model/exchange/exchange';
import { subjectOf } from '../../../model/exchange/request';
import { CodeView } from '../../../widgets/code/CodeView';
import { IconButton } from '../../../widgets/controls/IconButton';
import { PartBoundary } from '../../../widgets/failure/PartBoundary';
import { Segments } from '../../../widgets/controls/Segments';
import { OutcomeView } from './OutcomeView';
import { Running } from './Running';
import { StatusGlyph, statusTone, statusWords } from './status';
import classes from './result.module.css';

interface ExchangeResultProps {
  exchange: Exchange;
  onCancel: () => void;
  onAgain: () => void;
  /** What else can be done with the result. */
  actions?: ReactNode;
}

/** The result of a request, whichever kind it is; its progress while it is running. */
export function ExchangeResult({ exchange, onCancel, onAgain, actions }: ExchangeResultProps) {
  const [tab, setTab] = useState<'result' | 'raw'>('result');
  const { outcome, durationMs, humanWaitMs } = exchange;
  const status = statusOf(exchange);
  const raw = rawOf(outcome);
  return (
    <section className={classes.result} aria-label="Result">
      <div className={classes.bar} data-tone={statusTone(status)}>
        <StatusGlyph status={status} />
        <output className={classes.status} aria-live="polite">
          {statusWords(status)}
        </output>
        <span className={`${classes.facts} pb-num`}>
          {durationMs !== null && formatDuration(durationMs)}
          {humanWaitMs > 0 && ` (${formatDuration(humanWaitMs)} waiting for input)`}
          {raw !== null && ` · ${formatSize(raw.size)}`}
        </span>
        {raw !== null && (
          <Segments
            label="Show"
            value={tab}
            onChange={(value) => setTab(value)}
            segments={[
              { value: 'result', label: 'Result' },
              { value: 'raw', label: 'Raw' },
            ]}
          />
        )}
        <span className={classes.grow} />
        <ShowRecord exchange={exchange} />
        {outcome === null ? (
          <Button
            variant="default"
            onClick={onCancel}
            loading={exchange.cancelling}
            disabled={exchange.exchangeId === null}
            data-tip="Sends notifications/cancelled"
          >
            Cancel
          </Button>
        ) : (
          <>
            {actions}
            <IconButton icon={IconRefresh} label="Run again with the same arguments" onClick={onAgain} />
          </>
        )}
      </div>
      <div className={classes.body}>
        <PartBoundary resetKey={`${status} ${tab}`}>
          {outcome === null ? (
            <Running exchange={exchange} />
          ) : raw !== null && tab === 'raw' ? (
            <CodeView body={raw} form="raw" height="fill" label="Response as received" />
          ) : (
            <OutcomeView outcome={outcome} name={subjectOf(exchange.request)} />
          )}
        </PartBoundary>
      </div>
    </section>
  );
}

/** Shows the response in the traffic log, or the request while there is no response. */
function ShowRecord({ exchange: { requestSeq, responseSeq } }: { exchange: Exchange }) {
  const reveal = useReveal();
  const seq = responseSeq ?? requestSeq;
  if (seq === null) return null;
  return (
    <IconButton
      icon={IconArrowsLeftRight}
      label={`Show ${responseSeq === null ? 'request' : 'response'} in traffic log`}
      onClick={() => reveal(seq)}
    />
  );
}
