import { useState } from 'react';
import type { CommandError } from '../../contract/generated';
import { commandError } from '../../model/store/errors';

/** Work that closes what it was started in: whether it is under way (and, once it succeeded, until that is closed), and why it failed. */
export function useSubmission() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CommandError | null>(null);

  async function submit(work: () => Promise<void>): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (thrown) {
      setError(commandError(thrown));
      setBusy(false);
    }
  }
  return { busy, error, setError, submit };
}
