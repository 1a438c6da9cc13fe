import { useEffect, useEffectEvent, useState } from 'react';
import { useModel } from '../../workspace/context';
import type { Checked } from './checker';
import type { Problem, Validation } from './validate';

/** The check of a value, which takes a moment. */
export interface CheckState {
  /** The result for this value; null while it is being checked, or if there is nothing to check. */
  validation: Validation | null;
  /** The value is being checked. */
  isPending: boolean;
  /** The problems to show: those of this value, or while it is being checked those of the value before. */
  problems: readonly Problem[];
  /** Checks a value whose check was too expensive once more, for longer. */
  checkLonger: () => void;
}

const NONE: readonly Problem[] = [];

interface Result extends Checked {
  validation: Validation;
}

/** Checks a value against a schema, both JSON text, whenever either changes. Null: there is nothing to check. */
export function useCheck(schemaJson: string | null, valueJson: string | null): CheckState {
  const { checker } = useModel();
  const [latest, setLatest] = useState<Result | null>(null);
  /** The value that is being checked once more. */
  const [longer, setLonger] = useState<Checked | null>(null);
  const current = schemaJson === null || valueJson === null ? null : { schemaJson, valueJson };
  const validation =
    current === null
      ? null
      : latest !== null && isSame(latest, current)
        ? latest.validation
        : (checker.known(current) ?? null);
  const isLonger = current !== null && longer !== null && isSame(longer, current);

  const run = useEffectEvent((long: boolean, signal: AbortSignal): void => {
    if (current === null) return;
    void checker.check(current, signal, long).then((found) => {
      if (signal.aborted) return;
      setLatest({ ...current, validation: found });
      setLonger(null);
    });
  });
  useEffect(() => {
    const controller = new AbortController();
    run(isLonger, controller.signal);
    return () => controller.abort();
  }, [schemaJson, valueJson, isLonger]);

  const last = validation ?? (latest?.schemaJson === schemaJson ? latest.validation : undefined);
  return {
    validation: isLonger ? null : validation,
    isPending: current !== null && (validation === null || isLonger),
    problems: last?.type === 'checked' ? last.problems : NONE,
    checkLonger: () => setLonger(current),
  };
}

function isSame(one: Checked, other: Checked): boolean {
  return one.valueJson === other.valueJson && one.schemaJson === other.schemaJson;
}
