/**
 * Polls until the result is truthy and returns it; fails after `within` milliseconds with a description of the condition.
 * For events in other processes, which send no notification.
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
