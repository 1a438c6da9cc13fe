/** Features that the specification has deprecated and that are still served, with where to go instead. */
export interface Deprecation {
  /** The revision that deprecated it. */
  since: string;
  /** What the specification says to do instead, in a sentence. */
  migration: string;
  /** The first revision that may be without it. */
  removal: string;
  url: string;
}

const PAGE = 'https://modelcontextprotocol.io/specification/2026-07-28/deprecated';
const REMOVAL = 'the first revision released on or after 2027-07-28';

export const DEPRECATED = {
  sampling: {
    since: '2026-07-28',
    migration: 'Servers should integrate directly with the APIs of model providers.',
    removal: REMOVAL,
    url: PAGE,
  },
  roots: {
    since: '2026-07-28',
    migration: 'Pass folders or files in tool parameters, resource URIs or the configuration of the server.',
    removal: REMOVAL,
    url: PAGE,
  },
  logging: {
    since: '2026-07-28',
    migration: 'Log to stderr over stdio, and use OpenTelemetry otherwise.',
    removal: REMOVAL,
    url: PAGE,
  },
  dynamicRegistration: {
    since: '2026-07-28',
    migration: 'Servers should accept client ID metadata documents.',
    removal: REMOVAL,
    url: PAGE,
  },
  httpSse: {
    since: '2025-03-26',
    migration: 'Servers should use Streamable HTTP.',
    removal: 'a revision after 2026-07-28',
    url: PAGE,
  },
  includeContext: {
    since: '2025-11-25',
    migration: 'Servers should leave includeContext out, or use “none”.',
    removal: 'the revision that removes sampling',
    url: PAGE,
  },
} as const satisfies Record<string, Deprecation>;

export type DeprecatedFeature = keyof typeof DEPRECATED;
