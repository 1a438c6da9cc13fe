import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleMinus,
  IconCircleX,
  IconHourglass,
  IconLoader2,
  type Icon,
} from '@tabler/icons-react';
import classes from './StepGlyph.module.css';

/** The status of a step. */
export type StepStatus = 'pending' | 'running' | 'waiting' | 'ok' | 'warning' | 'failed' | 'skipped';

const LOOKS: Record<StepStatus, { icon: Icon; color: string }> = {
  pending: { icon: IconCircleDashed, color: 'var(--pb-off)' },
  running: { icon: IconLoader2, color: 'var(--pb-warn)' },
  waiting: { icon: IconHourglass, color: 'var(--pb-warn)' },
  ok: { icon: IconCircleCheck, color: 'var(--pb-ok)' },
  warning: { icon: IconAlertTriangle, color: 'var(--pb-warn)' },
  failed: { icon: IconCircleX, color: 'var(--pb-error)' },
  skipped: { icon: IconCircleMinus, color: 'var(--pb-off)' },
};

/** The colour of a status, for the word next to the glyph. */
export function statusColor(status: StepStatus): string {
  return LOOKS[status].color;
}

interface StepGlyphProps {
  status: StepStatus;
  size?: number;
  /** The accessible name, where there is no word next to it. */
  label?: string;
}

/** The status of a step, as a glyph with its own shape and colour. */
export function StepGlyph({ status, size = 16, label }: StepGlyphProps) {
  const { icon: Glyph, color } = LOOKS[status];
  return (
    <Glyph
      size={size}
      color={color}
      aria-hidden={label === undefined || undefined}
      aria-label={label}
      className={status === 'running' ? classes.busy : classes.still}
    />
  );
}
