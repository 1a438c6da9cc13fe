import { Button, SegmentedControl } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import type { ExchangeOutcome } from '../../../contract/generated/contract';
import { formatDuration, formatSize } from '../../../model/format';
import { type ToolCall, standingOf } from '../../../model/toolCall';
import { CodeView } from '../../../widgets/CodeView';
import { RecordLink } from '../../../widgets/RecordLink';
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
          {raw !== null && ` · ${formatSize(raw.size)}`}
        </span>
        {raw !== null && (
          <SegmentedControl
            aria-label="Show"
            value={tab}
            onChange={(value) => setTab(value)}
            data={[
              { value: 'result', label: 'Result' },
              { value: 'raw', label: 'Raw' },
            ]}
          />
        )}
        <span className={classes.grow} />
        {call.requestSeq !== null && <RecordLink seq={call.requestSeq} label="Request" />}
        {call.responseSeq !== null && <RecordLink seq={call.responseSeq} label="Answer" />}
        {outcome === null ? (
          <Button
            variant="default"
            onClick={onCancel}
            loading={call.cancelling}
            disabled={call.exchangeId === null}
            title="Sends notifications/cancelled"
          >
            Cancel
          </Button>
        ) : (
          <>
            <CopyMenu call={call} serverName={serverName} raw={raw} />
            <Button
              variant="default"
              leftSection={<IconRefresh size={14} />}
              onClick={onAgain}
              title="With the same arguments"
            >
              Run again
            </Button>
          </>
        )}
      </div>
      <div className={classes.body}>
        {outcome === null ? (
          <Running call={call} />
        ) : raw !== null && tab === 'raw' ? (
          <CodeView body={raw} form="raw" height="fill" label="Answer as received" />
        ) : (
          <OutcomeView outcome={outcome} tool={call.tool} />
        )}
      </div>
    </section>
  );
}

/** What was received, if anything was. */
function rawOf(outcome: ExchangeOutcome) {
  return 'raw' in outcome ? outcome.raw : null;
}
