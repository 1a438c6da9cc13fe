import { useEffect, useRef, useState } from 'react';
import { commandError } from '../../model/store/errors';

/** How long it is said what came of it, in ms. */
const SAID_MS = 2_000;

type Outcome = { type: 'copied' } | { type: 'failed'; why: string };

/** Copies text that has to be made or fetched first, and says for a moment what came of it. `idle`: the words before. */
export function useCopy(idle: string) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function say(what: Outcome): void {
    setOutcome(what);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOutcome(null), SAID_MS);
  }
  /** Does it, and says why if it cannot be done. */
  async function attempt(work: () => Promise<Outcome | void>): Promise<void> {
    try {
      const done = await work();
      if (done !== undefined) say(done);
    } catch (thrown) {
      say({ type: 'failed', why: commandError(thrown).message });
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
