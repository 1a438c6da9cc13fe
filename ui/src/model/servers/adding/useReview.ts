import { useEffect, useEffectEvent, useState } from 'react';
import { useCheck } from '../../form/check/useCheck';

/** What is entered in a review. */
interface Entered {
  /** What is asked for; null: nothing. */
  schemaJson: string | null;
  /** What was entered for it, as JSON text. */
  values: string;
  name: string;
}

/** The form of a review: what is wrong with it is shown after the first attempt to add, not during the first input. */
export function useReview(
  entered: Entered,
  /** What is wrong with the name; null: nothing. */
  nameProblem: string | null,
  /** Adds the server, connected or not. Called only if nothing is wrong. */
  run: (connect: boolean) => void,
) {
  const [tried, setTried] = useState(false);
  /** An attempt that waits for the check, which takes a moment. */
  const [wanted, setWanted] = useState<(Entered & { connect: boolean }) | null>(null);
  const check = useCheck(entered.schemaJson, entered.values);
  // An attempt is for what was entered then; an edit withdraws it.
  if (wanted !== null && !isSame(wanted, entered)) setWanted(null);

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
      setWanted({ ...entered, connect });
    },
  };
}

function isSame(one: Entered, other: Entered): boolean {
  return one.schemaJson === other.schemaJson && one.values === other.values && one.name === other.name;
}
