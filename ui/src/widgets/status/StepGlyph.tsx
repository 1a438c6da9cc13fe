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
export type StepStanding = 'pending' | 'running' | 'waiting' | 'ok' | 'warning' | 'failed' | 'skipped';

const LOOKS: Record<StepStanding, { icon: Icon; color: string }> = {
  pending: { icon: IconCircleDashed, color: 'var(--pb-off)' },
  running: { icon: IconLoader2, color: 'var(--pb-warn)' },
  waiting: { icon: IconHourglass, color: 'var(--pb-warn)' },
  ok: { icon: IconCircleCheck, color: 'var(--pb-ok)' },
  warning: { icon: IconAlertTriangle, color: 'var(--pb-warn)' },
  failed: { icon: IconCircleX, color: 'var(--pb-error)' },
  skipped: { icon: IconCircleMinus, color: 'var(--pb-off)' },
};

/** The colour of a standing, for the word beside the glyph. */
export function standingColor(standing: StepStanding): string {
  return LOOKS[standing].color;
}

interface StepGlyphProps {
  standing: StepStanding;
  size?: number;
  /** Said of it, where no word stands beside it. */
  label?: string;
}

/** How a step stands, as a glyph of its own shape and colour. */
export function StepGlyph({ standing, size = 16, label }: StepGlyphProps) {
  const { icon: Glyph, color } = LOOKS[standing];
  return (
    <Glyph
      size={size}
      color={color}
      aria-hidden={label === undefined || undefined}
      aria-label={label}
      className={standing === 'running' ? classes.busy : classes.still}
    />
  );
}
