import type {
  AssertionFrom,
  AuthorizationDraft,
  AuthorizationMode,
  ClientAuth,
  DpopMode,
  Signing,
} from '../../contract/generated';
import { scopesOf } from './authorizationWords';

/**
 * The authorization of a server at an address, as the dialog edits it: text as typed. Secrets are new values, or the
 * references that are in their place.
 */
export interface AuthorizationForm {
  mode: AuthorizationMode;
  clientId: string;
  clientSecret: string;
  /** `auto`: what the authorization server supports. */
  clientAuth: ClientAuth | 'auto';
  privateKey: string;
  /** `auto`: from the type of the key. */
  signing: Signing | 'auto';
  scopes: string;
  redirectPort: string;
  metadataUrl: string;
  /** `auto`: where both servers support it. */
  dpop: DpopMode | 'auto';
  assertionFrom: AssertionFrom;
  /** The path of the file, the name of the variable, or the command line. */
  assertion: string;
  idpIssuer: string;
  idpTokenEndpoint: string;
  idpClientId: string;
  idpClientSecret: string;
  idToken: string;
}

/** The problems, by field. */
export type AuthorizationProblems = Partial<Record<keyof AuthorizationForm, string>>;

export function emptyAuthorizationForm(): AuthorizationForm {
  return {
    mode: 'auto',
    clientId: '',
    clientSecret: '',
    clientAuth: 'auto',
    privateKey: '',
    signing: 'auto',
    scopes: '',
    redirectPort: '',
    metadataUrl: '',
    dpop: 'auto',
    assertionFrom: 'file',
    assertion: '',
    idpIssuer: '',
    idpTokenEndpoint: '',
    idpClientId: '',
    idpClientSecret: '',
    idToken: '',
  };
}

export function authorizationFormOf(draft: AuthorizationDraft | undefined): AuthorizationForm {
  if (draft === undefined) return emptyAuthorizationForm();
  const { enterprise = {} } = draft;
  return {
    mode: draft.mode ?? 'auto',
    clientId: draft.clientId ?? '',
    clientSecret: draft.clientSecret ?? '',
    clientAuth: draft.clientAuth ?? 'auto',
    privateKey: draft.privateKey ?? '',
    signing: draft.signing ?? 'auto',
    scopes: draft.scopes ?? '',
    redirectPort: draft.redirectPort === undefined ? '' : String(draft.redirectPort),
    metadataUrl: draft.metadataUrl ?? '',
    dpop: draft.dpop ?? 'auto',
    assertionFrom: draft.assertion?.from ?? 'file',
    assertion: draft.assertion?.value ?? '',
    idpIssuer: enterprise.issuer ?? '',
    idpTokenEndpoint: enterprise.tokenEndpoint ?? '',
    idpClientId: enterprise.clientId ?? '',
    idpClientSecret: enterprise.clientSecret ?? '',
    idToken: enterprise.idToken ?? '',
  };
}

/** The draft of a form; undefined if nothing is set. Only for a form without problems. */
export function authorizationDraftOf(form: AuthorizationForm): AuthorizationDraft | undefined {
  const text = (field: keyof AuthorizationForm, name: string): Record<string, string> => {
    const value = form[field].trim();
    return value === '' ? {} : { [name]: value };
  };
  /** What is wrong and not drawn is left out: nobody could correct it there. */
  const wellFormed = (field: FieldWithForm, name: string): Record<string, string> =>
    formProblemOf(field, form[field].trim()) === undefined ? text(field, name) : {};
  const hasPort =
    form.redirectPort.trim() !== '' && formProblemOf('redirectPort', form.redirectPort.trim()) === undefined;
  const enterprise = {
    ...wellFormed('idpIssuer', 'issuer'),
    ...wellFormed('idpTokenEndpoint', 'tokenEndpoint'),
    ...text('idpClientId', 'clientId'),
    ...text('idpClientSecret', 'clientSecret'),
    ...text('idToken', 'idToken'),
  };
  const scopes = scopesOf(form.scopes).join(' ');
  const assertion = form.assertion.trim();
  const draft: AuthorizationDraft = {
    mode: form.mode,
    ...text('clientId', 'clientId'),
    ...text('clientSecret', 'clientSecret'),
    ...(form.clientAuth === 'auto' ? {} : { clientAuth: form.clientAuth }),
    ...text('privateKey', 'privateKey'),
    ...(form.signing === 'auto' ? {} : { signing: form.signing }),
    ...(scopes === '' ? {} : { scopes }),
    ...(hasPort ? { redirectPort: Number(form.redirectPort) } : {}),
    ...wellFormed('metadataUrl', 'metadataUrl'),
    ...(form.dpop === 'auto' ? {} : { dpop: form.dpop }),
    ...(assertion === '' ? {} : { assertion: { from: form.assertionFrom, value: assertion } }),
    ...(Object.keys(enterprise).length === 0 ? {} : { enterprise }),
  };
  return draft.mode === 'auto' && Object.keys(draft).length === 1 ? undefined : draft;
}

export function authorizationProblemsOf(form: AuthorizationForm): AuthorizationProblems {
  const problems: AuthorizationProblems = {};
  if (form.mode === 'off') return problems;
  const has = (field: keyof AuthorizationForm): boolean => form[field].trim() !== '';

  if (form.mode === 'clientCredentials') {
    if (!has('clientId')) problems.clientId = 'Enter a client ID.';
    if (!has('clientSecret') && !has('privateKey'))
      problems.clientSecret = 'Enter a secret, or a private key below.';
    else if ((form.clientAuth === 'basic' || form.clientAuth === 'post') && !has('clientSecret'))
      problems.clientSecret = 'Enter the secret, or choose another token endpoint authentication.';
    if (form.clientAuth === 'privateKeyJwt' && !has('privateKey'))
      problems.privateKey = 'Enter the private key.';
  }
  if (form.mode === 'auto' && has('clientSecret') && !has('clientId')) {
    problems.clientId = 'A client secret needs a client ID.';
  }
  if (form.mode === 'enterprise') {
    if (!has('idpIssuer') && !has('idpTokenEndpoint'))
      problems.idpIssuer = 'Enter the issuer or the token endpoint.';
    if (!has('idpClientId')) problems.idpClientId = 'Enter Patchbay’s client ID at the identity provider.';
    if (!has('idToken')) problems.idToken = 'Enter your ID token.';
  }
  if (form.mode === 'workload') {
    const problem = assertionProblemOf(form.assertionFrom, form.assertion.trim());
    if (problem !== undefined) problems.assertion = problem;
  }
  for (const field of DRAWN_IN[form.mode]) {
    const problem = formProblemOf(field, form[field].trim());
    if (problem !== undefined) problems[field] = problem;
  }
  return problems;
}

/** The fields with a form of their own that each mode draws; the others keep what was entered in another mode. */
const DRAWN_IN = {
  auto: ['metadataUrl', 'redirectPort'],
  off: [],
  clientCredentials: [],
  enterprise: ['idpIssuer', 'idpTokenEndpoint'],
  workload: [],
} as const satisfies Record<AuthorizationMode, readonly (keyof AuthorizationForm)[]>;

type FieldWithForm = (typeof DRAWN_IN)[AuthorizationMode][number];

/** What is wrong with the form of what is entered in a field. */
function formProblemOf(field: FieldWithForm, entered: string): string | undefined {
  if (entered === '') return undefined;
  if (field !== 'redirectPort') return isWebAddress(entered) ? undefined : 'Must begin with https://.';
  const port = Number(entered);
  return Number.isInteger(port) && port >= 1 && port <= 65_535 ? undefined : 'Enter a port from 1 to 65535.';
}

/** What is wrong with the source of an assertion. */
function assertionProblemOf(from: AssertionFrom, value: string): string | undefined {
  switch (from) {
    case 'file':
      return /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(value) ? undefined : 'Enter the absolute path of the file.';
    case 'variable':
      return /^[^\s=]+$/.test(value) ? undefined : 'Enter the name of the environment variable.';
    case 'command':
      return value === '' ? 'Enter the command that prints the assertion.' : undefined;
  }
}

/** https, or http on this machine. */
function isWebAddress(text: string): boolean {
  if (!URL.canParse(text.trim())) return false;
  const { protocol, hostname } = new URL(text.trim());
  return (
    protocol === 'https:' ||
    (protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname))
  );
}

/** A summary for the collapsed section. */
export function authorizationInWords(form: AuthorizationForm): string {
  const modes: Record<AuthorizationMode, string> = {
    auto: '',
    off: 'off',
    clientCredentials: 'client credentials',
    enterprise: 'enterprise',
    workload: 'workload',
  };
  return [
    modes[form.mode],
    form.mode !== 'off' && form.clientId.trim() !== '' && `client ${form.clientId.trim()}`,
    form.mode !== 'off' && form.dpop !== 'auto' && `DPoP ${form.dpop}`,
    form.mode !== 'off' && form.scopes.trim() !== '' && `scopes ${scopesOf(form.scopes).join(' ')}`,
  ]
    .filter((word) => word !== false && word !== '')
    .join(', ');
}
