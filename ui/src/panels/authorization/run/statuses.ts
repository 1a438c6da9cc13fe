import type { AttemptVerdict, RunState, StepState } from '../../../contract/generated';
import type { AuthorizationStatus } from '../../../model/authorization/authorizationWords';
import type { StepStatus } from '../../../widgets/status/StepGlyph';

/** Glyphs for the status of runs, steps and exchanges. */

export const STEP_STATUSES: Record<StepState, StepStatus> = {
  pending: 'pending',
  running: 'running',
  waiting: 'waiting',
  done: 'ok',
  failed: 'failed',
  skipped: 'skipped',
};

export const RUN_STATUSES: Record<RunState, StepStatus> = {
  running: 'running',
  waiting: 'waiting',
  done: 'ok',
  failed: 'failed',
  cancelled: 'skipped',
};

export const VERDICT_STATUSES: Record<AttemptVerdict, StepStatus> = {
  ok: 'ok',
  absent: 'skipped',
  refused: 'failed',
  failed: 'failed',
};

export const OVERALL_STATUSES: Record<AuthorizationStatus['type'], StepStatus> = {
  none: 'pending',
  running: 'running',
  waiting: 'waiting',
  failed: 'failed',
  cancelled: 'skipped',
  valid: 'ok',
  expired: 'warning',
};
