import { type JsonObject, isObject, parseJson } from '../../text/json';
import { type DecodedHost, decodedHost } from './hostNames';

/** A page that a server asks the user to visit: an elicitation in URL mode, or one of those in an error -32042. */
export interface UrlRequest {
  message: string;
  /** As received. */
  url: string;
  /** Null if it is not a valid URL. */
  host: string | null;
  /** The host with its `xn--` labels decoded, if it has any. */
  decoded: DecodedHost | null;
  /** Why it needs a close look, in sentences. */
  warnings: string[];
  /** Whether it can be opened: only addresses of the web can. */
  canOpen: boolean;
  /** The id that `notifications/elicitation/complete` will have (2025-11-25). */
  elicitationId: string | null;
}

/** The code of an error that lists pages to visit first: `URLElicitationRequiredError` (2025-11-25). */
export const URL_ELICITATION_REQUIRED = '-32042';

/** More are not shown. */
const MOST = 50;

/** The params of an elicitation in URL mode, in parts. */
export function urlRequestOf(params: JsonObject): UrlRequest {
  const url = textOf(params['url']);
  const parsed = !hasLongHost(url) && URL.canParse(url) ? new URL(url) : null;
  const id = params['elicitationId'];
  return {
    message: textOf(params['message']),
    url,
    host: parsed === null || parsed.host === '' ? null : parsed.host,
    decoded: parsed === null ? null : decodedHost(parsed.host),
    warnings: warningsOf(url, parsed),
    canOpen:
      parsed !== null &&
      /^https?:$/.test(parsed.protocol) &&
      parsed.username === '' &&
      parsed.password === '',
    elicitationId: typeof id === 'string' ? id : null,
  };
}

/** The scheme of an address of the web, and everything up to its path. */
// oxlint-disable-next-line no-control-regex -- the parser leaves them out
const AUTHORITY = /^[\0-\x20]*(?:https?|wss?|ftp|file):[/\\]*([^/\\?#]*)/i;
/** What is longer is no name of a host, in characters; without a limit, decoding one takes minutes. */
const LONGEST_AUTHORITY = 1_000;

function hasLongHost(url: string): boolean {
  // The parser leaves these characters out, wherever they are.
  const plain = url.replaceAll(/[\t\n\r]/g, '');
  return (AUTHORITY.exec(plain)?.[1] ?? '').length > LONGEST_AUTHORITY;
}

/** The pages that an error lists; none for another error. */
export function requiredUrls(code: string, dataJson: string | null): UrlRequest[] {
  if (code !== URL_ELICITATION_REQUIRED || dataJson === null) return [];
  const data = parseJson(dataJson);
  const list = data.ok && isObject(data.value) ? data.value['elicitations'] : undefined;
  if (!Array.isArray(list)) return [];
  return list
    .slice(0, MOST)
    .flatMap((each: unknown) => (isObject(each) ? [urlRequestOf(each as JsonObject)] : []));
}

function warningsOf(url: string, parsed: URL | null): string[] {
  if (parsed === null) return ['This is not a valid URL.'];
  const { protocol, hostname, username, password } = parsed;
  const found: string[] = [];
  if (protocol !== 'https:' && protocol !== 'http:')
    found.push(`URLs that begin with ${protocol} are never opened.`);
  if (username !== '' || password !== '')
    found.push('The URL has a user name before the host, which can hide where it leads. It is not opened.');
  if (protocol === 'http:' && !isLoopback(hostname)) found.push('The connection is not encrypted (http).');
  if (/(^|\.)xn--/i.test(hostname)) found.push(imitation(hostname));
  // oxlint-disable-next-line no-control-regex -- anything outside printable ASCII can look like something else
  else if (/[^\x20-\x7e]/.test(url))
    found.push('Check every character of the URL: it may imitate another site.');
  return found;
}

function imitation(hostname: string): string {
  const decoded = decodedHost(hostname);
  if (decoded === null) return 'The host has labels in Punycode (xn--…) that cannot be decoded.';
  const isMixed = /[a-z]/.test(decoded.text.replace(/\.[^.]*$/, ''));
  return (
    `The host contains non-ASCII letters: ${decoded.letters.join(', ')}.` +
    (isMixed
      ? ' They are mixed with Latin letters: it may imitate another site.'
      : ' It may imitate another site.')
  );
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
