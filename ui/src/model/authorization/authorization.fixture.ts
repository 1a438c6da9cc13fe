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
