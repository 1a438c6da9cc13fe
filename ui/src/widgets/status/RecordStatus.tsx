import {
  IconAlertTriangle,
  IconArrowLeft,
  IconArrowRight,
  IconBan,
  IconCheck,
  IconClock,
  IconClockX,
  IconPlugConnected,
  IconPlugConnectedX,
  IconX,
  type Icon,
} from '@tabler/icons-react';
import type { Direction, RecordStatus as Status } from '../../contract/generated';
import { useElapsed, useRemaining } from '../../model/store/clock';
import { formatRunning } from '../../model/text/format';

const STATUS: Record<Status, { icon: Icon; word: string; color: string }> = {
  pending: { icon: IconClock, word: 'waiting', color: 'var(--pb-warn)' },
  ok: { icon: IconCheck, word: 'ok', color: 'var(--pb-ok)' },
  error: { icon: IconX, word: 'error', color: 'var(--pb-error)' },
  toolError: { icon: IconAlertTriangle, word: 'tool error', color: 'var(--pb-warn)' },
  cancelled: { icon: IconBan, word: 'cancelled', color: 'var(--pb-off)' },
  timedOut: { icon: IconClockX, word: 'timed out', color: 'var(--pb-error)' },
  lost: { icon: IconPlugConnectedX, word: 'no response', color: 'var(--pb-error)' },
};

const OPEN = { icon: IconPlugConnected, word: 'open', color: 'var(--pb-ok)' };

/** How a request ended: glyph, word and colour. `isStream`: while it lasts it is open, it does not wait for one answer. */
export function RecordStatus({ status, isStream = false }: { status: Status; isStream?: boolean }) {
  const { icon: Glyph, word, color } = isStream && status === 'pending' ? OPEN : STATUS[status];
  return (
    <span data-tip={word} style={{ color, display: 'flex', alignItems: 'center', gap: 4 }}>
      <Glyph size={14} aria-hidden />
      <span data-word>{word}</span>
    </span>
  );
}

/** The direction of a message: an arrow away from Patchbay or towards it. */
export function DirectionArrow({ direction }: { direction: Direction | null }) {
  if (direction === null) return <span aria-hidden />;
  const out = direction === 'clientToServer';
  // An SVG, not a character: the bundled fonts have no arrows, and the browser would search for another font.
  const Arrow = out ? IconArrowRight : IconArrowLeft;
  return (
    <span
      style={{ color: out ? 'var(--pb-out)' : 'var(--pb-in)', display: 'flex' }}
      role="img"
      aria-label={out ? 'client to server' : 'server to client'}
      data-tip={out ? 'Client to server' : 'Server to client'}
    >
      <Arrow size={14} stroke={2.5} aria-hidden />
    </span>
  );
}

/** A running timer. */
export function Elapsed({ sinceAtMs }: { sinceAtMs: number }) {
  return <>{formatRunning(useElapsed(sinceAtMs))}</>;
}

/** A timer that runs down. */
export function Remaining({ untilAtMs }: { untilAtMs: number }) {
  return <>{formatRunning(useRemaining(untilAtMs))}</>;
}
