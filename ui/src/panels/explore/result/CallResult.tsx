import { Button } from '@mantine/core';
import { IconArrowsLeftRight, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import type { ExchangeOutcome } from '../../../contract/generated/contract';
import { useReveal } from '../../../model/workspace/context';
import { formatDuration, formatSize } from '../../../model/text/format';
import { type ToolCall, standingOf } from '../../../model/tools/toolCall';
import { CodeView } from '../../../widgets/code/CodeView';
import { IconButton } from '../../../widgets/controls/IconButton';
import { PartBoundary } from '../../../widgets/failure/PartBoundary';
import { Segments } from '../../../widgets/controls/Segments';
import { CopyMenu } from './CopyMenu';
import { OutcomeView } from './OutcomeView';
import { Running } from './Running';
import { StandingGlyph, standingTone, standingWords } from './standing';
import classes from './result.module.css';

interface CallResultProps {
  call: ToolCall;
  serverName: string;
  onCancel: () => void;
  onAgain: () => void;
}

/** What came of a call. */
export function CallResult({ call, serverName, onCancel, onAgain }: CallResultProps) {
  const [tab, setTab] = useState<'result' | 'raw'>('result');
  const { outcome } = call;
  const standing = standingOf(call);
  const raw = outcome === null ? null : rawOf(outcome);
  return (
    <section className={classes.result} aria-label="Result">
      <div className={classes.bar} data-tone={standingTone(standing)}>
        <StandingGlyph standing={standing} />
        <output className={classes.standing} aria-live="polite">
          {standingWords(standing)}
        </output>
        <span className={`${classes.facts} pb-num`}>
          {call.durationMs !== null && formatDuration(call.durationMs)}
          {call.humanWaitMs > 0 && ` · ${formatDuration(call.humanWaitMs)} for input`}
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
        <ShowRecord call={call} />
        {outcome === null ? (
          <Button
            variant="default"
            onClick={onCancel}
            loading={call.cancelling}
            disabled={call.exchangeId === null}
            data-tip="Sends notifications/cancelled"
          >
            Cancel
          </Button>
        ) : (
          <>
            <CopyMenu call={call} serverName={serverName} raw={raw} />
            <IconButton icon={IconRefresh} label="Run again with the same arguments" onClick={onAgain} />
          </>
        )}
      </div>
      <div className={classes.body}>
        <PartBoundary resetKey={`${standing} ${tab}`}>
          {outcome === null ? (
            <Running call={call} />
          ) : raw !== null && tab === 'raw' ? (
            <CodeView body={raw} form="raw" height="fill" label="Answer as received" />
          ) : (
            <OutcomeView outcome={outcome} tool={call.tool} />
          )}
        </PartBoundary>
      </div>
    </section>
  );
}

/** Goes to the answer in the traffic log, or to the request while there is none. */
function ShowRecord({ call }: { call: ToolCall }) {
  const reveal = useReveal();
  const seq = call.responseSeq ?? call.requestSeq;
  if (seq === null) return null;
  return (
    <IconButton
      icon={IconArrowsLeftRight}
      label={`Show the ${call.responseSeq === null ? 'request' : 'answer'} in the traffic log`}
      onClick={() => reveal(seq)}
    />
  );
}

/** What was received, if anything was. */
function rawOf(outcome: ExchangeOutcome) {
  return 'raw' in outcome ? outcome.raw : null;
}
