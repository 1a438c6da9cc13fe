import { useEffect, useEffectEvent, useState } from 'react';
import { useCheck } from '../../form/check/useCheck';

/** The form of a review: what is wrong with it is shown after the first attempt to add, not during the first input. */
export function useReview(
  /** What is asked for; null: nothing. */
  schemaJson: string | null,
  /** What was entered, as JSON text. */
  values: string,
  /** What is wrong with the name; null: nothing. */
  nameProblem: string | null,
  /** Adds the server, connected or not. Called only if nothing is wrong. */
  run: (connect: boolean) => void,
) {
  const [tried, setTried] = useState(false);
  /** An attempt that waits for the check, which takes a moment. */
  const [wanted, setWanted] = useState<{ connect: boolean } | null>(null);
  const check = useCheck(schemaJson, values);

  const goOn = useEffectEvent(() => {
    if (wanted === null) return;
    setWanted(null);
    if (nameProblem === null && check.problems.length === 0) run(wanted.connect);
  });
  useEffect(() => {
    if (wanted !== null && !check.isPending) goOn();
  }, [wanted, check.isPending]);

  return {
    nameProblem: tried ? nameProblem : null,
    problems: check.problems.filter(({ missing }) => tried || !missing),
    add: (connect: boolean) => {
      setTried(true);
      setWanted({ connect });
    },
  };
}
