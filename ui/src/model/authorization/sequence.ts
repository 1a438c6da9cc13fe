import type {
  AttemptItem,
  AttemptVerdict,
  AuthorizationStep,
  RunItem,
  Seq,
  StepItem,
} from '../../contract/generated';

/** A run as a sequence diagram: what is drawn, not how. */

/** The parties, from left to right. */
export const LANES = ['browser', 'patchbay', 'server', 'issuer'] as const;
export type Lane = (typeof LANES)[number];

/** An arrow of the diagram. */
export interface Arrow {
  key: string;
  from: Lane;
  to: Lane;
  /** The message: `GET /.well-known/…`, `404`. */
  text: string;
  /** A description next to the text. */
  words: string;
  /** The full URL. */
  url: string;
  /** The record; null if Patchbay did not see it, or if it is not an exchange. */
  seq: Seq | null;
  /** The verdict; null for a request, which has that of its response. */
  verdict: AttemptVerdict | null;
  /**
   * `recorded`: an exchange of Patchbay. `action`: an action of Patchbay that is not an exchange. `unseen`: between other parties;
   * Patchbay knows only that it must have happened.
   */
  kind: 'recorded' | 'action' | 'unseen';
  /** Whether it is pending. */
  isPending: boolean;
}

/** The arrows of one step. */
export interface Band {
  step: AuthorizationStep;
  state: StepItem['state'];
  arrows: Arrow[];
}

/** The host of each lane, as far as it is known. */
export interface Hosts {
  server: string;
  issuer: string | null;
}

export function hostsOf(run: RunItem, serverUrl: string): Hosts {
  const server = hostOf(serverUrl) ?? serverUrl;
  const issuer =
    run.steps
      .filter(({ step }) => laneOf(step) === 'issuer' && step !== 'authorization')
      .flatMap(({ attempts }) => attempts.map(({ url }) => hostOf(url)))
      .find((host) => host !== null) ?? (run.authorizationUrl === null ? null : hostOf(run.authorizationUrl));
  return { server, issuer };
}

/** The steps that did something, in order, each with its arrows. */
export function bandsOf(run: RunItem, serverUrl: string): Band[] {
  const hosts = hostsOf(run, serverUrl);
  return run.steps
    .map((step) => ({ step: step.step, state: step.state, arrows: arrowsOf(step, run, hosts) }))
    .filter(({ arrows }) => arrows.length > 0);
}

function laneOf(step: AuthorizationStep): 'server' | 'issuer' {
  switch (step) {
    case 'challenge':
    case 'resourceMetadata':
    case 'stepUp':
      return 'server';
    case 'serverMetadata':
    case 'registration':
    case 'authorization':
    case 'token':
    case 'refresh':
    case 'revocation':
      return 'issuer';
  }
}

function arrowsOf(step: StepItem, run: RunItem, hosts: Hosts): Arrow[] {
  // There are no exchanges in this step: Patchbay opens the browser, and the user may paste where it ended.
  if (step.step === 'authorization') {
    const texts = step.attempts.filter((attempt) => !isOfBrowser(attempt));
    const pasted = texts.map((attempt, i) => pastedArrow(`${step.step} ${i}`, attempt));
    const arrows = browserArrows(step, run);
    // The last two are the way back.
    return [...arrows.slice(0, 2), ...pasted, ...arrows.slice(2)];
  }
  const lane = laneOf(step.step);
  return step.attempts.flatMap((attempt, i) =>
    exchangeArrows(`${step.step} ${i}`, attempt, lane, hosts[lane]),
  );
}

/** Whether it is the browser that could not be started. */
export function isOfBrowser({ method }: AttemptItem): boolean {
  return method === 'open';
}

/** A text that the user pasted and that was not used. */
function pastedArrow(key: string, { url, words, verdict }: AttemptItem): Arrow {
  return {
    key,
    from: 'browser',
    to: 'patchbay',
    text: 'pasted text',
    words,
    url,
    seq: null,
    verdict,
    kind: 'action',
    isPending: false,
  };
}

/** A request and its response. */
function exchangeArrows(key: string, attempt: AttemptItem, lane: Lane, host: string | null): Arrow[] {
  const { method, url, seq, status, verdict, words } = attempt;
  const same = { url, seq, kind: 'recorded' as const, isPending: false };
  const request: Arrow = {
    ...same,
    key: `${key} request`,
    from: 'patchbay',
    to: lane,
    text: `${method} ${placeOf(url, host)}`,
    words: '',
    verdict: null,
  };
  const answer: Arrow = {
    ...same,
    key: `${key} answer`,
    from: lane,
    to: 'patchbay',
    text: status === null ? 'no response' : String(status),
    words,
    verdict,
  };
  return [request, answer];
}

/** The way through the browser: the actions of Patchbay are shown; it does not see the exchanges between the other parties. */
function browserArrows({ state, attempts }: StepItem, { authorizationUrl, redirectUri }: RunItem): Arrow[] {
  if (authorizationUrl === null || state === 'pending' || state === 'skipped') return [];
  const isBack = state === 'done';
  const isPending = state === 'waiting' || state === 'running';
  const base = { words: '', seq: null, verdict: null, isPending: false };
  const place = placeOf(authorizationUrl, hostOf(authorizationUrl));
  const notOpened = attempts.find(isOfBrowser);
  const arrows: Arrow[] = [
    {
      ...base,
      key: 'open',
      from: 'patchbay',
      to: 'browser',
      text: 'open',
      words: notOpened === undefined ? 'the authorization URL' : notOpened.words,
      verdict: notOpened === undefined ? null : notOpened.verdict,
      url: authorizationUrl,
      kind: 'action',
    },
    {
      ...base,
      key: 'visit',
      from: 'browser',
      to: 'issuer',
      text: `GET ${place}`,
      words: isPending ? 'you sign in and consent' : '',
      url: authorizationUrl,
      kind: 'unseen',
      isPending,
    },
  ];
  if (!isBack) return arrows;
  const callback = redirectUri ?? '';
  return [
    ...arrows,
    {
      ...base,
      key: 'sent',
      from: 'issuer',
      to: 'browser',
      text: '302',
      words: 'redirect with code',
      url: callback,
      kind: 'unseen',
    },
    {
      ...base,
      key: 'callback',
      from: 'browser',
      to: 'patchbay',
      text: `GET ${placeOf(callback, hostOf(callback))}`,
      words: 'code and state',
      url: callback,
      kind: 'action',
      verdict: 'ok',
    },
  ];
}

function hostOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).host : null;
}

/** An address as shown in its lane: without the host if it is the lane's own, and without a query. */
function placeOf(url: string, host: string | null): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  const path = parsed.pathname + (parsed.search === '' ? '' : '?…');
  return parsed.host === host ? path : `${parsed.host}${path}`;
}
