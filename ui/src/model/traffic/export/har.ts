import type {
  HttpExchangeItem,
  HttpHeaderItem,
  Seq,
  TextBody,
  TrafficRecordResponse,
  TrafficRow,
} from '../../../contract/generated';
import type { Host } from '../../../host/host';
import { textOf } from '../../text/textOf';

/** HTTP exchanges as an HTTP Archive (HAR 1.2), which browsers' developer tools and proxies read. */

/** How many exchanges are exported at most: the newest. */
export const MOST_EXCHANGES = 2_000;
/** How many characters a file has at most. */
const MOST_CHARACTERS = 64_000_000;
/** How many exchanges are read at once. */
const AT_ONCE = 8;

const TOO_LONG =
  'The exchanges have more than 64 million characters. Filter or select fewer records, and export them in parts.';

interface HarHeader {
  name: string;
  value: string;
}

/** One exchange of the file. */
export interface HarEntry {
  startedDateTime: string;
  time: number;
  request: {
    method: string;
    url: string;
    httpVersion: string;
    cookies: [];
    headers: HarHeader[];
    queryString: HarHeader[];
    postData?: { mimeType: string; text: string; comment?: string };
    headersSize: -1;
    bodySize: number;
  };
  response: {
    status: number;
    statusText: string;
    httpVersion: string;
    cookies: [];
    headers: HarHeader[];
    content: { size: number; mimeType: string; text: string; comment?: string };
    redirectURL: string;
    headersSize: -1;
    bodySize: -1;
  };
  cache: Record<string, never>;
  timings: {
    blocked: -1;
    dns: number;
    connect: number;
    ssl: number;
    send: 0;
    wait: number;
    receive: number;
  };
  serverIPAddress?: string;
  comment?: string;
}

/** The exchanges of these records: themselves, and those that carried a message; oldest first. */
export function exchangesOf(rows: readonly TrafficRow[]): Seq[] {
  const seqs = rows.flatMap((row) => (row.kind === 'http' ? row.seq : (row.httpSeq ?? [])));
  return [...new Set(seqs)].toSorted((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1));
}

/** Reads exchanges and writes the file. `onPart` is told how much is done, from 0 to 1. Stops when the signal aborts. */
export async function writeHar(
  host: Host,
  seqs: readonly Seq[],
  version: string,
  onPart: (part: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const entries: HarEntry[] = [];
  let characters = 0;
  for (let at = 0; at < seqs.length; at += AT_ONCE) {
    signal.throwIfAborted();
    const some = seqs.slice(at, at + AT_ONCE).map(async (seq) => {
      const record = await host.call('traffic_record', { seq });
      return record.http === null ? null : await entryOf(host, record, record.http);
    });
    for (const entry of await Promise.all(some)) {
      if (entry === null) continue;
      characters += entry.response.content.text.length + (entry.request.postData?.text.length ?? 0);
      if (characters > MOST_CHARACTERS) throw new Error(TOO_LONG);
      entries.push(entry);
    }
    onPart(Math.min(1, (at + AT_ONCE) / seqs.length));
  }
  const creator = { name: 'Patchbay', version };
  return JSON.stringify({ log: { version: '1.2', creator, pages: [], entries } }, null, 2);
}

async function entryOf(
  host: Host,
  { row, related }: TrafficRecordResponse,
  http: HttpExchangeItem,
): Promise<HarEntry> {
  const sent = await requestText(host, http);
  const received = await responseText(host, http, related);
  const sentType = header(http.requestHeaders, 'content-type');
  const end = http.stages.at(-1);
  const failure = http.stages.find(({ stage }) => stage === 'failed' || stage === 'aborted');
  const address = http.timing?.remote?.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  return {
    startedDateTime: new Date(row.atMs).toISOString(),
    ...timesOf(http, end?.afterMs ?? row.latencyMs ?? 0),
    request: {
      method: http.method,
      url: http.url,
      httpVersion: http.version || 'HTTP/1.1',
      cookies: [],
      headers: http.requestHeaders.map(plain),
      queryString: queryOf(http.url),
      ...(sent !== null && {
        postData: {
          mimeType: sentType,
          text: sent,
          ...(http.requestBodySize !== null && { comment: 'Only the beginning of the body is recorded.' }),
        },
      }),
      headersSize: -1,
      bodySize: http.requestBodySize ?? (sent === null ? 0 : new TextEncoder().encode(sent).length),
    },
    response: {
      status: http.status ?? 0,
      statusText: http.reason ?? '',
      httpVersion: http.version || 'HTTP/1.1',
      cookies: [],
      headers: http.responseHeaders.map(plain),
      content: {
        size: new TextEncoder().encode(received.text).length,
        mimeType: header(http.responseHeaders, 'content-type') || 'x-unknown',
        ...received,
      },
      redirectURL: header(http.responseHeaders, 'location'),
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    ...(address !== undefined && { serverIPAddress: address }),
    ...(failure !== undefined && { comment: `${failure.stage}: ${failure.text}` }),
  };
}

/** The times of an exchange, in ms; -1: not needed. Connecting includes TLS, as the format has it. */
function timesOf({ timing }: HttpExchangeItem, total: number): Pick<HarEntry, 'time' | 'timings'> {
  const dns = timing?.dnsMs ?? -1;
  const ssl = timing?.tlsMs ?? -1;
  const connected = timing?.connectMs ?? null;
  const connect = connected === null ? -1 : connected + Math.max(0, ssl);
  const wait = timing?.firstByteMs ?? 0;
  const receive = Math.max(0, total - Math.max(0, dns) - Math.max(0, connect) - wait);
  const time = Math.max(0, dns) + Math.max(0, connect) + wait + receive;
  return { time, timings: { blocked: -1, dns, connect, ssl, send: 0, wait, receive } };
}

/** What was sent: its own body, or the message that it carried. */
async function requestText(
  host: Host,
  { requestBody, requestSeq }: HttpExchangeItem,
): Promise<string | null> {
  if (requestBody !== null) return requestBody;
  if (requestSeq === null) return null;
  return await whole(host, (await host.call('traffic_record', { seq: requestSeq })).raw);
}

/** What was received: its own body, or the messages that it carried, which are records themselves. */
async function responseText(
  host: Host,
  http: HttpExchangeItem,
  related: readonly TrafficRow[],
): Promise<{ text: string; comment?: string }> {
  if (http.body !== null) return { text: await whole(host, http.body) };
  const messages: string[] = [];
  for (const { seq, direction, kind } of related) {
    if (direction !== 'serverToClient' || kind === 'http') continue;
    messages.push(await whole(host, (await host.call('traffic_record', { seq })).raw));
  }
  if (messages.length === 0) return { text: '' };
  if (!header(http.responseHeaders, 'content-type').includes('event-stream'))
    return { text: messages.join('\n') };
  return {
    text: messages.map(eventOf).join(''),
    comment: 'The messages of the event stream, without ids and comments; at most 200.',
  };
}

/** A message as an event of a stream. Each of its lines is a field of its own. */
const eventOf = (message: string): string => `data: ${message.replaceAll(/\r\n|\r|\n/g, '\ndata: ')}\n\n`;

async function whole(host: Host, body: TextBody): Promise<string> {
  if (body.size > MOST_CHARACTERS) throw new Error(TOO_LONG);
  return await textOf(host, body);
}

const plain = ({ name, value }: HttpHeaderItem): HarHeader => ({ name, value });

function header(headers: readonly HttpHeaderItem[], wanted: string): string {
  return headers.find(({ name }) => name.toLowerCase() === wanted)?.value ?? '';
}

function queryOf(url: string): HarHeader[] {
  if (!URL.canParse(url)) return [];
  return Array.from(new URL(url).searchParams, ([name, value]) => ({ name, value }));
}
