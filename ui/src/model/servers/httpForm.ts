import type { HttpHeader, HttpKind, ProxyDraft, TransportDraft } from '../../contract/generated';

/** A server at an address, as the dialog edits it: text as typed. Deliberately not here: the rest of the form (serverForm.ts). */
export interface HttpForm {
  url: string;
  kind: HttpKind;
  headers: HttpHeader[];
  proxy: ProxyDraft['type'];
  /** Kept while another choice is tried. */
  proxyUrl: string;
  caFile: string;
  clientCertificate: string;
  fingerprint: string;
}

/** The problems, by field; headers by row. */
export interface HttpProblems {
  url?: string;
  headers: Record<number, string>;
  proxyUrl?: string;
  fingerprint?: string;
}

export function emptyHttpForm(): HttpForm {
  return {
    url: '',
    kind: 'auto',
    headers: [],
    proxy: 'app',
    proxyUrl: '',
    caFile: '',
    clientCertificate: '',
    fingerprint: '',
  };
}

type HttpDraft = Extract<TransportDraft, { type: 'http' }>;

export function httpFormOf({ url, kind, headers, proxy, ...tls }: HttpDraft): HttpForm {
  return {
    url,
    kind,
    headers,
    proxy: proxy.type,
    proxyUrl: proxy.type === 'url' ? proxy.url : '',
    caFile: tls.caFile ?? '',
    clientCertificate: tls.clientCertificate ?? '',
    fingerprint: tls.acceptedFingerprint ?? '',
  };
}

/** The draft of a form. Only for a form without problems. */
export function httpDraftOf(form: HttpForm): HttpDraft {
  const fingerprint = plainFingerprint(form.fingerprint);
  return {
    type: 'http',
    url: form.url.trim(),
    kind: form.kind,
    headers: form.headers.filter(({ name, value }) => name !== '' || value !== ''),
    proxy: form.proxy === 'url' ? { type: 'url', url: form.proxyUrl.trim() } : { type: form.proxy },
    caFile: textOrNull(form.caFile),
    clientCertificate: textOrNull(form.clientCertificate),
    acceptedFingerprint: fingerprint === '' ? null : fingerprint,
  };
}

export function httpProblemsOf(form: HttpForm): HttpProblems {
  const problems: HttpProblems = { headers: {} };
  const url = addressProblem(form.url);
  if (url !== undefined) problems.url = url;
  form.headers.forEach((header, row) => {
    const problem = headerProblem(header);
    if (problem !== undefined) problems.headers[row] = problem;
  });
  if (form.proxy === 'url' && !/^(https?|socks5h?):\/\/[^/\s]+/i.test(form.proxyUrl.trim())) {
    problems.proxyUrl = 'Enter a URL such as http://proxy.example:3128 or socks5://proxy.example:1080.';
  }
  const fingerprint = plainFingerprint(form.fingerprint);
  if (fingerprint !== '' && !/^[0-9a-f]{64}$/.test(fingerprint)) {
    problems.fingerprint = 'A SHA-256 fingerprint has 64 hexadecimal digits.';
  }
  return problems;
}

export function hasHttpProblems({ headers, ...fields }: HttpProblems): boolean {
  return Object.keys(headers).length > 0 || Object.values(fields).some((problem) => problem !== undefined);
}

function addressProblem(typed: string): string | undefined {
  const text = typed.trim();
  if (text === '') return 'Enter a URL.';
  if (/\s/.test(text)) return 'A URL cannot contain spaces.';
  if (!/^https?:\/\//i.test(text)) return 'Must begin with http:// or https://.';
  if (!URL.canParse(text)) return 'Not a valid URL: check host and port.';
  const { username, password } = new URL(text);
  if (username !== '' || password !== '')
    return 'Put user name and password in a header: Authorization: Basic…';
  if (text.includes('#')) return 'Remove the part after “#”: it is never sent.';
  return undefined;
}

/** What a header's name may be made of (RFC 9110, `token`). */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

function headerProblem({ name, value }: HttpHeader): string | undefined {
  if (name === '' && value === '') return undefined;
  if (name === '') return 'Enter a name.';
  if (!TOKEN.test(name)) return 'Letters, digits and - only, no colon.';
  // oxlint-disable-next-line no-control-regex -- those are what is looked for
  if (/[\r\n\0]/.test(value)) return 'A value cannot contain line breaks.';
  return undefined;
}

/** Without the colons and spaces that tools print between the bytes. */
export function plainFingerprint(typed: string): string {
  return typed
    .replace(/^sha-?256[:=]/i, '')
    .replace(/[\s:]/g, '')
    .toLowerCase();
}

/** A fingerprint as people compare it: in pairs. */
export function readableFingerprint(fingerprint: string): string {
  return (plainFingerprint(fingerprint).match(/.{1,2}/g) ?? []).join(':').toUpperCase();
}

/** Whether what is sent there can be read on the way: no TLS, and not this machine. */
export function isInTheClear(url: string): boolean {
  if (!URL.canParse(url.trim())) return false;
  const { protocol, hostname } = new URL(url.trim());
  if (protocol !== 'http:') return false;
  return !(
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname.startsWith('127.') ||
    hostname === '[::1]'
  );
}

function textOrNull(typed: string): string | null {
  const text = typed.trim();
  return text === '' ? null : text;
}
