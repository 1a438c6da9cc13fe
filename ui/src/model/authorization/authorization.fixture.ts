import type {
  AttemptItem,
  AuthorizationGetResponse,
  AuthorizationStep,
  RunId,
  RunItem,
  Seq,
  StepItem,
  TokenItem,
} from '../../contract/generated';

/** When everything here happens, in ms since the Unix epoch. */
export const AT = 1_700_000_000_000;

/** A step for tests: done without anything to show, unless said otherwise. */
export function step(name: AuthorizationStep, part: Partial<StepItem> = {}): StepItem {
  return {
    step: name,
    state: 'done',
    startedAtMs: AT,
    durationMs: 12.4,
    summary: '',
    explanation: `What ${name} is for.`,
    attempts: [],
    facts: [],
    failure: null,
    ...part,
  };
}

/** A successful exchange by default. */
export function attempt(method: string, url: string, part: Partial<AttemptItem> = {}): AttemptItem {
  return {
    method,
    url,
    seq: '7' as Seq,
    status: 200,
    verdict: 'ok',
    words: 'It gave what was wanted.',
    atMs: AT,
    ...part,
  };
}

const EMPTY = { startedAtMs: null, durationMs: null } as const;

/** A run for tests: its six steps, not reached yet but for those given. */
export function run(steps: readonly StepItem[], part: Partial<RunItem> = {}): RunItem {
  const order: AuthorizationStep[] = [
    'challenge',
    'resourceMetadata',
    'serverMetadata',
    'registration',
    'authorization',
    'token',
  ];
  const given = new Map(steps.map((each) => [each.step, each]));
  const others = steps.filter((each) => !order.includes(each.step));
  return {
    id: 'run-1' as RunId,
    startedAtMs: AT,
    endedAtMs: null,
    cause: 'challenge',
    state: 'running',
    steps: [...order.map((name) => given.get(name) ?? step(name, { ...EMPTY, state: 'pending' })), ...others],
    question: null,
    authorizationUrl: null,
    redirectUri: null,
    ...part,
  };
}

/** A token for tests, valid for an hour from `AT`. */
export function token(part: Partial<TokenItem> = {}): TokenItem {
  return {
    issuer: 'https://auth.example',
    resource: 'https://mcp.example/mcp',
    scopes: ['tools:read', 'tools:call'],
    expiresAtMs: AT + 3_600_000,
    obtainedAtMs: AT,
    hasRefresh: true,
    dpopThumbprint: null,
    masked: '••••••••••••••••••••Qx4w',
    jwt: { header: '{"alg":"RS256","typ":"at+jwt"}', claims: '{"iss":"https://auth.example","sub":"ada"}' },
    issuedTo: 'https://mcp.example',
    ...part,
  };
}

/** What `authorization_get` answers: nothing yet by default. */
export function authorization(part: Partial<AuthorizationGetResponse> = {}): AuthorizationGetResponse {
  const { run: shown = null } = part;
  return {
    token: null,
    client: null,
    problem: null,
    run: shown,
    history:
      shown === null
        ? []
        : [
            {
              id: shown.id,
              startedAtMs: shown.startedAtMs,
              endedAtMs: shown.endedAtMs,
              cause: shown.cause,
              state: shown.state,
              summary: 'A summary.',
            },
          ],
    ...part,
  };
}

/** A run that found the metadata of another issuer. */
export const failed = authorization({
  run: run(
    [
      step('challenge', { attempts: [attempt('POST', 'https://mcp.example/mcp', { status: 401 })] }),
      step('serverMetadata', {
        state: 'failed',
        attempts: [
          attempt('GET', 'https://auth.example/.well-known/oauth-authorization-server', {
            seq: '14' as Seq,
            verdict: 'refused',
            words: 'The issuer is another.',
          }),
        ],
        failure: {
          cause: 'Its issuer is https://evil.example.',
          rule: { name: 'RFC 8414 section 3.3', url: 'https://www.rfc-editor.org/rfc/rfc8414#section-3.3' },
          next: 'The authorization server must publish its own issuer.',
          seq: '14' as Seq,
        },
      }),
    ],
    { state: 'failed', endedAtMs: AT + 100 },
  ),
});
