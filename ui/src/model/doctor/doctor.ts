import { useEffect, useState } from 'react';
import type { CommandError, DoctorStatus, DoctorStep, DoctorSubject } from '../../contract/generated';
import { useHost } from '../workspace/context';

/** A run of the doctor, as far as it has come. */
export interface DoctorRun {
  steps: DoctorStep[];
  /** It looks still. */
  running: boolean;
  /** Why it could not look, or broke off. */
  error: CommandError | null;
}

const BEGUN: DoctorRun = { steps: [], running: true, error: null };

/** Looks at once, and again when `attempt` changes. What runs is stopped when nobody looks any more. */
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

/** The steps after news of one of them. */
export function withStep(steps: readonly DoctorStep[], step: DoctorStep): DoctorStep[] {
  const known = steps.some(({ index }) => index === step.index);
  const next = known ? steps.map((old) => (old.index === step.index ? step : old)) : [...steps, step];
  return next.toSorted((a, b) => a.index - b.index);
}

/** How the whole went: the worst of its steps. */
export function verdictOf(steps: readonly DoctorStep[]): DoctorStatus {
  const order: DoctorStatus[] = ['failed', 'running', 'warning', 'ok', 'skipped'];
  return order.find((status) => steps.some((step) => step.status === status)) ?? 'running';
}
