import type { HttpExchangeItem } from '../../contract/generated';
import { useElapsed } from '../../model/store/clock';
import { formatDuration } from '../../model/text/format';
import { type Waterfall, barOf, endOf, waterfallOf } from '../../model/traffic/httpTiming';
import classes from './HttpExchange.module.css';

interface HttpWaterfallProps {
  http: HttpExchangeItem;
  startedAtMs: number;
  /** Whether it may go on: one whose process died has no end of its own. */
  isRunning: boolean;
}

/** How long the parts of an exchange took, on one axis. */
export function HttpWaterfall({ http, startedAtMs, isRunning }: HttpWaterfallProps) {
  const end = endOf(http) ?? (isRunning ? null : (http.stages.at(-1)?.afterMs ?? 0));
  return end === null ? (
    <Running http={http} startedAtMs={startedAtMs} />
  ) : (
    <Bars waterfall={waterfallOf(http.timing, end, end)} />
  );
}

/** A separate component: it renders while it runs. */
function Running({ http, startedAtMs }: Omit<HttpWaterfallProps, 'isRunning'>) {
  return <Bars waterfall={waterfallOf(http.timing, null, useElapsed(startedAtMs))} />;
}

function Bars({ waterfall }: { waterfall: Waterfall | null }) {
  if (waterfall === null) return <p className={classes.dim}>No timing: no connection was made.</p>;
  const { parts, totalMs, reused } = waterfall;
  return (
    <table className={classes.waterfall} aria-label="Timing">
      <tbody>
        {parts.map((part) => {
          const { left, width } = barOf(part, totalMs);
          return (
            <tr key={part.name}>
              <th scope="row">{part.name}</th>
              <td className={classes.axis} aria-hidden>
                <span
                  className={classes.bar}
                  data-part={part.name}
                  data-open={part.isOpen || undefined}
                  style={{ left: `${left}%`, width: `${width}%` }}
                />
              </td>
              <td className={`${classes.length} pb-num`}>{formatDuration(part.lengthMs)}</td>
            </tr>
          );
        })}
        <tr className={classes.total}>
          <th scope="row">Total</th>
          <td className={classes.dim}>{reused ? 'on a reused connection' : ''}</td>
          <td className={`${classes.length} pb-num`}>{formatDuration(totalMs)}</td>
        </tr>
      </tbody>
    </table>
  );
}
