import { expect, it } from 'vitest';
import type { DoctorStatus, DoctorStep } from '../../contract/generated';
import { verdictOf, withStep } from './doctor';

const step = (index: number, status: DoctorStatus): DoctorStep => ({
  index,
  kind: 'tcp',
  title: `step ${index}`,
  status,
  sent: null,
  received: null,
  next: null,
  durationMs: null,
  seq: null,
  certificate: null,
});

it('replaces a step when it ends, and keeps their order', () => {
  let steps = withStep([], step(0, 'running'));
  steps = withStep(steps, step(2, 'running'));
  steps = withStep(steps, step(1, 'ok'));
  steps = withStep(steps, step(0, 'ok'));
  expect(steps.map(({ index, status }) => [index, status])).toEqual([
    [0, 'ok'],
    [1, 'ok'],
    [2, 'running'],
  ]);
});

it.each([
  [[], 'running'],
  [['ok', 'warning', 'ok'], 'warning'],
  [['ok', 'failed', 'skipped'], 'failed'],
  [['ok', 'skipped'], 'ok'],
] as [DoctorStatus[], DoctorStatus][])('of %j makes %s', (statuses, verdict) => {
  expect(verdictOf(statuses.map((status, i) => step(i, status)))).toBe(verdict);
});
