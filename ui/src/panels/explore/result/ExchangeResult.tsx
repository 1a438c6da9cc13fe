import { Button } from '@mantine/core';
import { IconArrowsDiff, IconArrowsLeftRight, IconRepeat } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useStore } from 'zustand';
import { useModel, useReveal, useServerPart } from '../../../model/workspace/context';
import { formatDuration, formatSize } from '../../../model/text/format';
import { type Exchange, rawOf, statusOf } from '../../../model/exchange/exchange';
import { comparedExchange, exchangesOf } from '../../../model/exchange/exchanges';
import { keyOf, subjectOf } from '../../../model/exchange/request';
import { CodeView } from '../../../widgets/code/CodeView';
import { IconButton } from '../../../widgets/controls/IconButton';
import { PartBoundary } from '../../../widgets/failure/PartBoundary';
import { Segments } from '../../../widgets/controls/Segments';
import { Comparison } from './Comparison';
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
  /** The app that shows the result below; while it is shown, the result is not. */
  app?: { isShown: boolean; onShow: (isShown: boolean) => void };
}

/** The result of a request, whichever kind it is; its progress while it is running. */
export function ExchangeResult({ exchange, onCancel, onAgain, actions, app }: ExchangeResultProps) {
  const [tab, setTab] = useState<'result' | 'raw'>('result');
  const { outcome, durationMs, humanWaitMs } = exchange;
  const status = statusOf(exchange);
  const raw = rawOf(outcome);
  const { exchanges } = useModel();
  const key = keyOf(exchange.serverId, exchange.request);
  const list = useStore(exchanges, (state) => exchangesOf(state, key));
  const compared = outcome === null ? undefined : comparedExchange(list);
  // In the modern era there is no notification over HTTP.
  const closesStream = useServerPart(
    exchange.serverId,
    (server) => server?.connection.era === 'modern' && server.draft.transport.type === 'http',
  );
  const isAppShown = app?.isShown === true && compared === undefined;
  return (
    <section className={classes.result} aria-label="Result">
      <div className={classes.bar} data-tone={statusTone(status)}>
        <StatusGlyph status={status} />
        <output className={classes.status} aria-live="polite">
          {statusWords(status)}
        </output>
        <span
          className={`${classes.facts} pb-num`}
          data-tip={
            raw === null
              ? undefined
              : 'Time of the whole call, all rounds included, and the size of its result. The traffic log has both for each message.'
          }
        >
          {durationMs !== null && formatDuration(durationMs)}
          {humanWaitMs > 0 && ` (${formatDuration(humanWaitMs)} waiting for input)`}
          {raw !== null && ` · ${formatSize(raw.size)}`}
        </span>
        {(raw !== null || app !== undefined) && compared === undefined && (
          <Segments
            label="Show"
            value={isAppShown ? 'app' : tab}
            onChange={(value) => {
              app?.onShow(value === 'app');
              if (value !== 'app') setTab(value);
            }}
            segments={[
              ...(app === undefined ? [] : [{ value: 'app' as const, label: 'App' }]),
              { value: 'result', label: 'Result' },
              ...(raw === null ? [] : [{ value: 'raw' as const, label: 'Raw' }]),
            ]}
          />
        )}
        <span className="pb-grow" />
        <ShowRecord exchange={exchange} />
        {outcome === null ? (
          <Button
            variant="default"
            onClick={onCancel}
            loading={exchange.cancelling}
            disabled={exchange.exchangeId === null}
            data-tip={
              closesStream
                ? 'Closes the stream of the request, which cancels it'
                : 'Sends notifications/cancelled'
            }
          >
            Cancel
          </Button>
        ) : (
          <>
            <CompareButton exchange={exchange} />
            {actions}
            <IconButton icon={IconRepeat} label="Run again with the same arguments" onClick={onAgain} />
          </>
        )}
      </div>
      {!isAppShown && (
        <div className={classes.body}>
          <PartBoundary resetKey={`${status} ${tab} ${compared?.id}`}>
            {compared !== undefined ? (
              <Comparison before={compared} after={exchange} />
            ) : outcome === null ? (
              <Running exchange={exchange} />
            ) : raw !== null && tab === 'raw' ? (
              <CodeView body={raw} form="raw" height="fill" label="Response as received" />
            ) : (
              <OutcomeView
                outcome={outcome}
                name={subjectOf(exchange.request)}
                serverId={exchange.serverId}
                requestSeq={exchange.requestSeq}
                onAgain={onAgain}
              />
            )}
          </PartBoundary>
        </div>
      )}
    </section>
  );
}

/** Compares the result with the run before it, or the one after it for the oldest; absent if there is no other. */
function CompareButton({ exchange: { id, serverId, request } }: { exchange: Exchange }) {
  const { exchanges } = useModel();
  const key = keyOf(serverId, request);
  const list = useStore(exchanges, (state) => exchangesOf(state, key));
  const ended = list.items.filter(({ outcome }) => outcome !== null);
  const at = ended.findIndex((each) => each.id === id);
  const other = ended[at + 1] ?? ended[at - 1];
  if (other === undefined) return null;
  const isComparing = comparedExchange(list) !== undefined;
  return (
    <IconButton
      icon={IconArrowsDiff}
      label="Compare with another run"
      pressed={isComparing}
      onClick={() => exchanges.compare(key, isComparing ? null : other.id)}
    />
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
      label={`Show ${responseSeq === null ? 'request' : 'response'} in the traffic log`}
      onClick={() => reveal(seq)}
    />
  );
}
