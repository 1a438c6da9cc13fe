import { Select } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { ComparedTexts } from '../../../content/ComparedTexts';
import { type Compared, type ComparedPart, comparedPart, partsOf } from '../../../model/exchange/comparison';
import { type Exchange, rawOf, statusOf } from '../../../model/exchange/exchange';
import { exchangesOf } from '../../../model/exchange/exchanges';
import { argumentsOf, keyOf } from '../../../model/exchange/request';
import { formatDuration, formatSize, formatTime } from '../../../model/text/format';
import { useHost, useModel } from '../../../model/workspace/context';
import { Failed, Waiting } from '../../../widgets/status/Waiting';
import { type Loaded, showLoaded } from '../../../widgets/code/useBodyText';
import { IconButton } from '../../../widgets/controls/IconButton';
import { Segments } from '../../../widgets/controls/Segments';
import { statusWords } from './status';
import classes from './Comparison.module.css';

interface ComparisonProps {
  before: Exchange;
  after: Exchange;
}

const LABELS: Record<ComparedPart, string> = {
  content: 'Content',
  structured: 'Structured',
  raw: 'Raw',
  arguments: 'Arguments',
};

/** The difference between two requests about the same thing and between their results; either can be replaced by another. */
export function Comparison({ before, after }: ComparisonProps) {
  const { exchanges } = useModel();
  const key = keyOf(after.serverId, after.request);
  const items = useStore(exchanges, (state) => exchangesOf(state, key).items);
  const parts = partsOf(before, after);
  const [chosen, setChosen] = useState<ComparedPart | null>(null);
  const part = chosen !== null && parts.includes(chosen) ? chosen : (parts[0] ?? 'raw');
  const ended = items.filter(({ outcome }) => outcome !== null);
  const choice = (label: string, value: Exchange, other: Exchange, onChoose: (id: number) => void) => (
    <Select
      className={classes.choice}
      size="xs"
      aria-label={label}
      allowDeselect={false}
      value={String(value.id)}
      data={ended
        .filter(({ id }) => id !== other.id)
        .map((exchange) => ({ value: String(exchange.id), label: titleOf(exchange) }))}
      onChange={(id) => id !== null && onChoose(Number(id))}
    />
  );
  return (
    <section className={classes.comparison} aria-label="Comparison">
      <div className={classes.bar}>
        {choice('Before', before, after, (id) => exchanges.compare(key, id))}
        <span aria-hidden>→</span>
        {choice('After', after, before, (id) => exchanges.show(key, id))}
        <Segments
          label="Compare"
          value={part}
          onChange={(value) => setChosen(value)}
          segments={parts.map((value) => ({ value, label: LABELS[value] }))}
        />
        <span className="pb-grow" />
        <IconButton icon={IconX} label="End comparison" onClick={() => exchanges.compare(key, null)} />
      </div>
      <Part key={part} before={before} after={after} part={part} />
    </section>
  );
}

/** An exchange in a line: when, how it ended, and the beginning of its arguments. */
function titleOf(exchange: Exchange): string {
  const { startedAtMs, durationMs, request } = exchange;
  const given = argumentsOf(request).slice(0, 60).replaceAll(/\s+/g, ' ');
  const duration = durationMs === null ? null : formatDuration(durationMs);
  return [formatTime(startedAtMs), statusWords(statusOf(exchange)), duration, given]
    .filter(Boolean)
    .join(' · ');
}

function Part({ before, after, part }: ComparisonProps & { part: ComparedPart }) {
  const host = useHost();
  const [loaded, setLoaded] = useState<Loaded<readonly [Compared, Compared]>>({ state: 'loading' });
  useEffect(() => {
    const loading = Promise.all([comparedPart(host, before, part), comparedPart(host, after, part)]);
    return showLoaded(loading, setLoaded);
  }, [host, before, after, part]);
  if (loaded.state === 'loading') return <Waiting text="Comparing…" />;
  if (loaded.state === 'failed') return <Failed error={loaded.error} />;
  const [old, fresh] = loaded.value;
  return (
    <ComparedTexts
      before={old}
      after={fresh}
      language={part === 'content' ? 'plain' : 'json'}
      titles={[sideTitle('Before', before), sideTitle('After', after)]}
    />
  );
}

function sideTitle(side: string, { startedAtMs, outcome }: Exchange): string {
  const raw = rawOf(outcome);
  return `${side} · ${formatTime(startedAtMs)}${raw === null ? '' : ` · ${formatSize(raw.size)}`}`;
}
