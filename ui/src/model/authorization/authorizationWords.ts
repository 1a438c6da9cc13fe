import type {
  AuthorizationGetResponse,
  AuthorizationMode,
  AuthorizationStep,
  ClientOrigin,
  RunCause,
  RunItem,
  RunState,
  ServerDraft,
  StepItem,
  StepState,
  TokenItem,
} from '../../contract/generated';
import { formatCount, formatDuration } from '../text/format';

/** The wording of authorization, shared by the whole UI. */

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
  waiting: 'waiting for you',
  done: 'done',
  failed: 'failed',
  skipped: 'skipped',
};

export function stepStateWord(state: StepState): string {
  return STEP_STATES[state];
}

const RUN_STATES: Record<RunState, string> = {
  running: 'Running',
  waiting: 'Waiting for you',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

export function runStateWord(state: RunState): string {
  return RUN_STATES[state];
}

const CAUSES: Record<RunCause, string> = {
  challenge: 'the server returned 401',
  stepUp: 'the server requires more scopes (403)',
  user: 'started by you',
  refresh: 'the token needed a refresh',
  forget: 'the token was forgotten',
};

/** Why a run began. */
export function causeWords(cause: RunCause): string {
  return CAUSES[cause];
}

const ORIGINS: Record<ClientOrigin, string> = {
  preRegistered: 'server settings',
  metadataDocument: 'client metadata document',
  dynamic: 'dynamic registration (RFC 7591)',
  manual: 'entered during a run',
};

export function originWords(origin: ClientOrigin): string {
  return ORIGINS[origin];
}

export const MODES: readonly { value: AuthorizationMode; label: string; description: string }[] = [
  {
    value: 'auto',
    label: 'Auto',
    description: 'When the server requires a token, you sign in using the browser.',
  },
  {
    value: 'clientCredentials',
    label: 'Client credentials',
    description:
      'When the server requires a token, Patchbay gets one with its own secret or private key. No browser.',
  },
  {
    value: 'enterprise',
    label: 'Enterprise',
    description: 'An identity assertion from the company’s identity provider is exchanged for a token.',
  },
  {
    value: 'workload',
    label: 'Workload',
    description:
      'The assertion that the platform issued to this workload is exchanged for a token. No browser.',
  },
  { value: 'off', label: 'Off', description: 'No authorization. A 401 is shown as an error.' },
];

/** What happens when a token without a refresh token expires. */
export function withoutRefreshWords(mode: AuthorizationMode): string {
  return mode === 'auto' || mode === 'off'
    ? 'None: you sign in again when it expires'
    : 'None: a new token is requested when it expires';
}

/** The step to show: the current one, the failed one, or the last. */
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

/** The overall status of a server's authorization. */
export type AuthorizationStatus =
  | { type: 'none' }
  | { type: 'running'; step: AuthorizationStep | null }
  | { type: 'waiting'; step: AuthorizationStep | null }
  | { type: 'failed'; step: AuthorizationStep | null }
  | { type: 'cancelled' }
  | { type: 'valid'; expiresAtMs: number | null }
  | { type: 'expired'; hasRefresh: boolean };

export function statusOf({ run, token }: AuthorizationGetResponse, nowMs: number): AuthorizationStatus {
  const step = (run === null ? undefined : stepToShow(run))?.step ?? null;
  if (run?.state === 'running' || run?.state === 'waiting') return { type: run.state, step };
  // The newest run matters more than a token from before it.
  const isNewer = run !== null && token !== null && (run.endedAtMs ?? 0) > token.obtainedAtMs;
  if (run?.state === 'failed' && (token === null || isNewer)) return { type: 'failed', step };
  if (token !== null) {
    return isExpired(token, nowMs)
      ? { type: 'expired', hasRefresh: token.hasRefresh }
      : { type: 'valid', expiresAtMs: token.expiresAtMs };
  }
  return run?.state === 'cancelled' ? { type: 'cancelled' } : { type: 'none' };
}

export function statusWords(status: AuthorizationStatus): string {
  switch (status.type) {
    case 'none':
      return 'No token';
    case 'running':
      return status.step === null ? 'Authorizing' : `Authorizing: ${stepName(status.step)}`;
    case 'waiting':
      return 'Waiting for you';
    case 'failed':
      return status.step === null ? 'Failed' : `Failed at: ${stepName(status.step)}`;
    case 'cancelled':
      return 'Cancelled';
    case 'valid':
      return 'Authorized';
    case 'expired':
      return status.hasRefresh ? 'Token expired; renewed when needed' : 'Token expired';
  }
}

/** Why a token of a server with these settings is neither requested nor used; null if it is. */
export function whyUnused({ authorization, transport }: ServerDraft): string | null {
  if (authorization?.mode === 'off') return 'Authorization is off in the server settings.';
  const hasOwn =
    transport.type === 'http' && transport.headers.some(({ name }) => name.toLowerCase() === 'authorization');
  return hasOwn ? 'The Authorization header in the server settings is sent instead of a token.' : null;
}

export function isExpired({ expiresAtMs }: TokenItem, nowMs: number): boolean {
  return expiresAtMs !== null && expiresAtMs <= nowMs;
}

/** How long a token stays valid: `59 min 12 s`. To be shown once a second. */
export function timeLeft(expiresAtMs: number, nowMs: number): string {
  return formatDuration(Math.max(0, Math.ceil((expiresAtMs - nowMs) / 1000) * 1000));
}

/** What a run is waiting for. */
export function waitingWords({ question }: RunItem): string {
  switch (question?.type) {
    case 'chooseServer':
      return 'Choose an authorization server';
    case 'client':
      return 'Enter a client ID';
    case 'privateAddress':
      return 'Private network address';
    case 'callback':
      return 'Sign in using the browser';
    case undefined:
      return 'Waiting for you';
  }
}

/** Scopes as typed, separated by spaces or commas, without duplicates. */
export function scopesOf(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((scope) => scope !== ''))];
}

/** Masks longer than this are shortened: they carry nothing but their length. */
const LONGEST_MASK = 24;

/** A text with masked secrets, long masks shortened: `************ … (812 characters masked) Qx4w`. */
export function foldMasks(text: string): string {
  return text.replaceAll(/([*•])\1+/g, (mask, sign: string) =>
    mask.length <= LONGEST_MASK
      ? mask
      : `${sign.repeat(LONGEST_MASK / 2)} … (${formatCount(mask.length, 'character')} masked) `,
  );
}
