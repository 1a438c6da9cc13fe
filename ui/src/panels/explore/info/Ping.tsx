import { Button, NativeSelect } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import type { ConnectionState, Era, ServerId } from '../../../contract/generated';
import {
  PING_INTERVALS,
  type Ping as SentPing,
  pingFigures,
  withPing,
} from '../../../model/connection/pings';
import { commandError } from '../../../model/store/errors';
import { formatCount, formatDuration, formatTime } from '../../../model/text/format';
import { useModel, useWorkspace } from '../../../model/workspace/context';
import classes from './info.module.css';

interface PingProps {
  serverId: ServerId;
  state: ConnectionState;
  era: Era | null;
}

const NO_PINGS: readonly SentPing[] = [];

/** Pings the server, once or again and again while this is shown. Only the legacy era has `ping`. */
export function Ping({ serverId, state, era }: PingProps) {
  const { host, workspace } = useModel();
  const pings = useWorkspace((all) => all.pings[serverId] ?? NO_PINGS);
  const [running, setRunning] = useState(false);
  /** The pause between two pings, in ms; null: only when asked. Never saved: nothing is sent without being switched on. */
  const [every, setEvery] = useState<number | null>(null);
  const isReady = state === 'ready';

  const ping = useEffectEvent(async (): Promise<void> => {
    setRunning(true);
    const atMs = Date.now();
    const sent: SentPing = await host.call('connection_ping', { serverId }).then(
      ({ durationMs }) => ({ atMs, durationMs }),
      (thrown: unknown) => ({ atMs, error: commandError(thrown) }),
    );
    workspace.setState((all) => ({
      pings: { ...all.pings, [serverId]: withPing(all.pings[serverId] ?? [], sent) },
    }));
    setRunning(false);
    // A server that does not answer is not asked again and again.
    if ('error' in sent) setEvery(null);
  });
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    if (asked > 0) void ping();
  }, [asked]);
  useEffect(() => {
    if (every === null || !isReady || running) return undefined;
    const timer = setTimeout(() => void ping(), every);
    return () => clearTimeout(timer);
  }, [every, isReady, running]);

  if (era === 'modern') return <>Revision 2026-07-28 has no ping: there is no session to keep alive.</>;
  const last = pings.at(-1);
  return (
    <div className={classes.pings}>
      <span className={classes.ping}>
        <Button
          variant="default"
          size="compact-xs"
          loading={running && every === null}
          disabled={!isReady}
          onClick={() => setAsked(asked + 1)}
        >
          Ping
        </Button>
        <NativeSelect
          size="xs"
          aria-label="Repeat the ping"
          data-tip="Repeats while this page is shown, until a ping fails"
          disabled={!isReady}
          value={every ?? ''}
          onChange={({ currentTarget: { value } }) => {
            setEvery(value === '' ? null : Number(value));
            if (value !== '' && !running) setAsked(asked + 1);
          }}
        >
          <option value="">Not repeated</option>
          {PING_INTERVALS.map((interval) => (
            <option key={interval} value={interval}>
              Every {interval / 1000} s
            </option>
          ))}
        </NativeSelect>
        <output className="pb-num">
          {last !== undefined && 'durationMs' in last && `response in ${formatDuration(last.durationMs)}`}
        </output>
        {last !== undefined && 'error' in last && (
          <span className={classes.error} role="alert">
            {last.error.message}
          </span>
        )}
      </span>
      {pings.length > 1 && <History pings={pings} />}
    </div>
  );
}

const BAR = 5;
const HEIGHT = 28;

/** The last pings as bars, the newest at the right, and their figures. */
function History({ pings }: { pings: readonly SentPing[] }) {
  const { count, failed, times } = pingFigures(pings);
  const words = [
    formatCount(count, 'ping'),
    ...(times === null
      ? []
      : [
          `min ${formatDuration(times.min)}`,
          `median ${formatDuration(times.median)}`,
          `max ${formatDuration(times.max)}`,
        ]),
    ...(failed === 0 ? [] : [`${failed} failed`]),
  ].join(' · ');
  return (
    <span className={classes.history}>
      <svg width={pings.length * BAR} height={HEIGHT} role="img" aria-label={`Ping history: ${words}`}>
        {pings.map((ping, at) => {
          const isAnswered = 'durationMs' in ping;
          const height = isAnswered ? Math.max(2, (ping.durationMs / (times?.max ?? 1)) * HEIGHT) : HEIGHT;
          return (
            <rect
              key={ping.atMs}
              x={at * BAR}
              y={HEIGHT - height}
              width={BAR - 1}
              height={height}
              className={isAnswered ? classes.answered : classes.failed}
              data-tip={`${formatTime(ping.atMs)} · ${isAnswered ? formatDuration(ping.durationMs) : ping.error.message}`}
            />
          );
        })}
      </svg>
      <span className={`${classes.dim} pb-num`}>{words}</span>
    </span>
  );
}
