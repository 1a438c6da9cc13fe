/**
 * Asks until the answer is not falsy and gives it; fails after `within` milliseconds, saying what was waited for.
 * For what happens in other processes, where there is nothing to be notified by.
 */
export async function until(what, ask, { within = 20_000, every = 50, seen } = {}) {
  const end = performance.now() + within;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (performance.now() > end) {
      const last = seen ? `; seen last:\n${await seen()}` : '';
      throw new Error(`waited ${within} ms for ${what}${last}`);
    }
    await new Promise((resolve) => setTimeout(resolve, every));
  }
}
