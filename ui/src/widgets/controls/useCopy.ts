import { useEffect, useRef, useState } from 'react';
import { commandError } from '../../model/store/errors';

/** How long the outcome is shown, in ms. */
const SHOWN_MS = 2_000;

type Outcome = { type: 'copied' } | { type: 'failed'; why: string };

/** Copies text that must be built or fetched first, and shows the outcome for a moment. `idle` is the label before. */
export function useCopy(idle: string) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function show(what: Outcome): void {
    setOutcome(what);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOutcome(null), SHOWN_MS);
  }
  /** Runs the work and shows why it failed, if it did. */
  async function attempt(work: () => Promise<Outcome | void>): Promise<void> {
    try {
      const done = await work();
      if (done !== undefined) show(done);
    } catch (thrown) {
      show({ type: 'failed', why: commandError(thrown).message });
    }
  }
  const copy = (make: () => string | Promise<string>): Promise<void> =>
    attempt(async () => {
      await navigator.clipboard.writeText(await make());
      return { type: 'copied' };
    });
  const isCopied = outcome?.type === 'copied';
  const words = outcome === null ? idle : isCopied ? 'Copied' : `Failed: ${outcome.why}`;
  return { words, isCopied, attempt, copy };
}
