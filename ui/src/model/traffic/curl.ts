import type { HttpExchangeItem, Seq } from '../../contract/generated';
import type { Host } from '../../host/host';
import { shellQuote } from '../text/copyAs';
import { formatSize } from '../text/format';
import { textOf } from '../text/textOf';

/** Headers that curl writes itself, from the address, the body and the connection. */
const OWN = new Set(['host', 'content-length', 'connection', 'accept-encoding', 'transfer-encoding']);

/** An HTTP request as a curl command line, with its secrets masked as in the log. */
export function asCurl(
  { method, url, requestHeaders }: Pick<HttpExchangeItem, 'method' | 'url' | 'requestHeaders'>,
  body: string | null,
): string {
  const headers = requestHeaders
    .filter(({ name }) => !OWN.has(name.toLowerCase()))
    // curl sends a header without a value only if it is written with a semicolon.
    .map(({ name, value }) => `--header ${shellQuote(value === '' ? `${name};` : `${name}: ${value}`)}`);
  // Shows an event stream as it arrives; brackets and braces in a URL are not patterns.
  const words = [`curl --no-buffer --globoff --request ${method} ${shellQuote(url)}`, ...headers];
  if (body !== null) words.push(`--data-raw ${shellQuote(body)}`);
  return words.join(' \\\n  ');
}

/**
 * The exchange that a record is, or by which it was carried, for curl.
 *
 * @throws CommandFailure the record is no longer in the log.
 * @throws Error not all of the request is recorded.
 */
export async function curlOf(host: Host, seq: Seq): Promise<string> {
  const { http } = await host.call('traffic_record', { seq });
  if (http === null) throw new Error('Not sent over HTTP.');
  if (http.requestBodySize !== null) {
    throw new Error(`Only the beginning of the body (${formatSize(http.requestBodySize)}) is recorded.`);
  }
  return asCurl(http, http.requestBody ?? (await messageOf(host, http.requestSeq)));
}

/** The text of the message that a request carried. */
async function messageOf(host: Host, seq: Seq | null): Promise<string | null> {
  if (seq === null) return null;
  const { raw } = await host.call('traffic_record', { seq });
  return textOf(host, raw);
}
