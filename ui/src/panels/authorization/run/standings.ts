import type { AttemptVerdict, RunState, StepState } from '../../../contract/generated';
import type { Standing } from '../../../model/authorization/authorizationWords';
import type { StepStanding } from '../../../widgets/status/StepGlyph';

/** Glyphs for the status of runs, steps and exchanges. */

export const STEP_STANDINGS: Record<StepState, StepStanding> = {
  pending: 'pending',
  running: 'running',
  waiting: 'waiting',
  done: 'ok',
  failed: 'failed',
  skipped: 'skipped',
};

export const RUN_STANDINGS: Record<RunState, StepStanding> = {
  running: 'running',
  waiting: 'waiting',
  done: 'ok',
  failed: 'failed',
  cancelled: 'skipped',
};

export const VERDICT_STANDINGS: Record<AttemptVerdict, StepStanding> = {
  ok: 'ok',
  absent: 'skipped',
  refused: 'failed',
  failed: 'failed',
};

export const WHOLE_STANDINGS: Record<Standing['type'], StepStanding> = {
  none: 'pending',
  running: 'running',
  waiting: 'waiting',
  failed: 'failed',
  cancelled: 'skipped',
  valid: 'ok',
  expired: 'warning',
};
