import type {
  AuthorizationGetResponse,
  AuthorizationMode,
  AuthorizationStep,
  ClientOrigin,
  RunCause,
  RunItem,
  RunState,
  StepItem,
  StepState,
  TokenItem,
} from '../../contract/generated';
import { formatCount, formatDuration } from '../text/format';

/** Authorization in words. The whole UI uses these and no others. */

const STEPS: Record<AuthorizationStep, string> = {
  challenge: 'Challenge',
  resourceMetadata: 'Resource metadata',
  serverMetadata: 'Server metadata',
  registration: 'Registration',
  authorization: 'Authorization',
  token: 'Token',
  refresh: 'Refresh',
  stepUp: 'Step-up',
  revocation: 'Revocation',
};

export function stepName(step: AuthorizationStep): string {
  return STEPS[step];
}

const STEP_STATES: Record<StepState, string> = {
  pending: 'not reached',
  running: 'running',
  waiting: 'waits for you',
  done: 'done',
  failed: 'failed',
  skipped: 'skipped',
};

export function stepStateWord(state: StepState): string {
  return STEP_STATES[state];
}

const RUN_STATES: Record<RunState, string> = {
  running: 'Running',
  waiting: 'Waits for you',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

export function runStateWord(state: RunState): string {
  return RUN_STATES[state];
}

const CAUSES: Record<RunCause, string> = {
  challenge: 'the server answered 401',
  stepUp: 'the server wanted more scopes (403)',
  user: 'you started it',
  refresh: 'the token had to be renewed',
  forget: 'you gave the token back',
};

/** Why a run began, to be said after “because”. */
export function causeWords(cause: RunCause): string {
  return CAUSES[cause];
}

const ORIGINS: Record<ClientOrigin, string> = {
  preRegistered: 'from the server’s settings',
  metadataDocument: 'the address of a client metadata document',
  dynamic: 'registered by Patchbay (RFC 7591)',
  manual: 'given by you during a run',
};

export function originWords(origin: ClientOrigin): string {
  return ORIGINS[origin];
}

export const MODES: readonly { value: AuthorizationMode; label: string; description: string }[] = [
  {
    value: 'auto',
    label: 'Auto',
    description: 'When the server asks for a token, you sign in, in the browser.',
  },
  {
    value: 'clientCredentials',
    label: 'Client credentials',
    description:
      'When the server asks for a token, Patchbay gets one as itself, with its secret or private key. No browser.',
  },
  {
    value: 'enterprise',
    label: 'Enterprise',
    description:
      'With an identity assertion of the company’s identity provider, exchanged for a token of the server’s.',
  },
  { value: 'off', label: 'Off', description: 'Never. A 401 is shown as it comes.' },
];

/** The step to look at: where it stands, where it broke, or what it came to. */
export function stepToShow(run: RunItem): StepItem | undefined {
  const { steps } = run;
  return (
    steps.find(({ state }) => state === 'failed' || state === 'waiting' || state === 'running') ??
    steps.findLast(({ state }) => state === 'done') ??
    steps[0]
  );
}

export function isUnderWay(run: RunItem | null): boolean {
  return run?.state === 'running' || run?.state === 'waiting';
}

/** How a server's authorization stands as a whole. */
export type Standing =
  | { type: 'none' }
  | { type: 'running'; step: AuthorizationStep | null }
  | { type: 'waiting'; step: AuthorizationStep | null }
  | { type: 'failed'; step: AuthorizationStep | null }
  | { type: 'cancelled' }
  | { type: 'valid'; expiresAtMs: number | null }
  | { type: 'expired'; hasRefresh: boolean };

export function standingOf({ run, token }: AuthorizationGetResponse, nowMs: number): Standing {
  const step = (run === null ? undefined : stepToShow(run))?.step ?? null;
  if (run?.state === 'running' || run?.state === 'waiting') return { type: run.state, step };
  // What the newest run came to matters more than a token from before it.
  const isNewer = run !== null && token !== null && (run.endedAtMs ?? 0) > token.obtainedAtMs;
  if (run?.state === 'failed' && (token === null || isNewer)) return { type: 'failed', step };
  if (token !== null) {
    return isExpired(token, nowMs)
      ? { type: 'expired', hasRefresh: token.hasRefresh }
      : { type: 'valid', expiresAtMs: token.expiresAtMs };
  }
  return run?.state === 'cancelled' ? { type: 'cancelled' } : { type: 'none' };
}

export function standingWords(standing: Standing): string {
  switch (standing.type) {
    case 'none':
      return 'No token';
    case 'running':
      return standing.step === null ? 'Authorizing' : `Authorizing: ${stepName(standing.step)}`;
    case 'waiting':
      return 'Waits for you';
    case 'failed':
      return standing.step === null ? 'Failed' : `Failed at: ${stepName(standing.step)}`;
    case 'cancelled':
      return 'Cancelled';
    case 'valid':
      return 'Authorized';
    case 'expired':
      return standing.hasRefresh ? 'Token expired; it is renewed when it is needed' : 'Token expired';
  }
}

export function isExpired({ expiresAtMs }: TokenItem, nowMs: number): boolean {
  return expiresAtMs !== null && expiresAtMs <= nowMs;
}

/** How long a token is good for still: `59 min 12 s`. To be shown once a second. */
export function timeLeft(expiresAtMs: number, nowMs: number): string {
  return formatDuration(Math.max(0, Math.ceil((expiresAtMs - nowMs) / 1000) * 1000));
}

/** What a run waits for, in a few words. */
export function waitingWords({ question }: RunItem): string {
  switch (question?.type) {
    case 'chooseServer':
      return 'Choose an authorization server';
    case 'client':
      return 'A client id is wanted';
    case 'privateAddress':
      return 'It leads to a private address';
    case 'callback':
      return 'Sign in, in the browser';
    case undefined:
      return 'Waits for you';
  }
}

/** Scopes as people type them, apart by spaces or commas, each once. */
export function scopesOf(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((scope) => scope !== ''))];
}

/** Masks longer than this are folded: they say nothing but their length. */
const LONGEST_MASK = 24;

/** A text in which secrets are masked, with long masks folded: `************ … (812 characters masked) Qx4w`. */
export function foldMasks(text: string): string {
  return text.replaceAll(/([*•])\1+/g, (mask, sign: string) =>
    mask.length <= LONGEST_MASK
      ? mask
      : `${sign.repeat(LONGEST_MASK / 2)} … (${formatCount(mask.length, 'character')} masked) `,
  );
}
