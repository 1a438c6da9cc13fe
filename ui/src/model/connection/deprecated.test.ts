import { expect, it } from 'vitest';
import { DEPRECATED } from './deprecated';

it('is every feature that 2026-07-28 lists as deprecated, since the revision it says', () => {
  const since = Object.fromEntries(
    Object.entries(DEPRECATED).map(([feature, each]) => [feature, each.since]),
  );
  expect(since).toEqual({
    roots: '2026-07-28',
    sampling: '2026-07-28',
    logging: '2026-07-28',
    dynamicRegistration: '2026-07-28',
    includeContext: '2025-11-25',
    httpSse: '2025-03-26',
  });
  for (const { migration, url } of Object.values(DEPRECATED)) {
    expect(migration).toMatch(/^[A-Z].+\.$/);
    expect(url).toBe('https://modelcontextprotocol.io/specification/2026-07-28/deprecated');
  }
});
