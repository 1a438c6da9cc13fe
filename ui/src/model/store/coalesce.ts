/**
 * Runs `task` at once when idle, and again after it ended if it was requested meanwhile; then at most every
 * `everyMs` milliseconds (0: as soon as it ended). The promise resolves after a run that began after the call.
 */
export function coalesce(task: () => Promise<void>, everyMs = 0): () => Promise<void> {
  let running = false;
  let next: Promise<void> | undefined;
  let wake: (() => void) | undefined;

  async function run(): Promise<void> {
    running = true;
    await task();
    if (everyMs === 0) ended();
    else setTimeout(ended, everyMs);
  }

  function ended(): void {
    running = false;
    wake?.();
  }

  return () => {
    if (!running) return run();
    next ??= new Promise<void>((resolve) => {
      wake = resolve;
    }).then(() => {
      next = undefined;
      wake = undefined;
      return run();
    });
    return next;
  };
}
