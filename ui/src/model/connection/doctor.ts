import { useEffect, useState } from 'react';
import type { CommandError, DoctorStatus, DoctorStep, DoctorSubject } from '../../contract/generated';
import { useHost } from '../workspace/context';

/** The state of a run of the connection doctor. */
export interface DoctorRun {
  steps: DoctorStep[];
  /** Whether it is still running. */
  running: boolean;
  /** Why it could not run, or was interrupted. */
  error: CommandError | null;
}

const BEGUN: DoctorRun = { steps: [], running: true, error: null };

/** Starts a run, and another one when `attempt` changes. A run is stopped on unmount. */
export function useDoctor(subject: DoctorSubject, attempt: number): DoctorRun {
  const host = useHost();
  const key = JSON.stringify(subject);
  const [run, setRun] = useState<DoctorRun>(BEGUN);

  useEffect(() => {
    setRun(BEGUN);
    const handle = host.openStream(
      'doctor_run',
      { subject: JSON.parse(key) as DoctorSubject },
      {
        onEvent: (step) => setRun((now) => ({ ...now, steps: withStep(now.steps, step) })),
        onEnd: (error) => setRun((now) => ({ ...now, running: false, error: error ?? null })),
      },
    );
    return () => handle.close();
  }, [host, key, attempt]);

  return run;
}

/** The steps with one of them updated. */
export function withStep(steps: readonly DoctorStep[], step: DoctorStep): DoctorStep[] {
  const known = steps.some(({ index }) => index === step.index);
  const next = known ? steps.map((old) => (old.index === step.index ? step : old)) : [...steps, step];
  return next.toSorted((a, b) => a.index - b.index);
}

/** The overall result: that of the worst step. */
export function verdictOf(steps: readonly DoctorStep[]): DoctorStatus {
  const order: DoctorStatus[] = ['failed', 'running', 'warning', 'ok', 'skipped'];
  return order.find((status) => steps.some((step) => step.status === status)) ?? 'running';
}
