/**
 * Runs `task` at once when idle, and once more after it ended if it was asked for meanwhile; then at most every
 * `everyMs` milliseconds. The promise is that of a run that began after the call.
 */
export function coalesce(task: () => Promise<void>, everyMs: number): () => Promise<void> {
  let running = false;
  let next: Promise<void> | undefined;
  let wake: (() => void) | undefined;

  async function run(): Promise<void> {
    running = true;
    await task();
    setTimeout(() => {
      running = false;
      wake?.();
    }, everyMs);
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
