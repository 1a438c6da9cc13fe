import { expect, it } from 'vitest';
import type { HttpExchangeItem, Seq, TextBody, TrafficRecordResponse } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { row } from '../trafficRows.fixture';
import { type HarEntry, exchangesOf, writeHar } from './har';

const seq = (value: number): Seq => String(value) as Seq;

function exchange(part: Partial<HttpExchangeItem>): HttpExchangeItem {
  return {
    seq: seq(1),
    method: 'POST',
    url: 'https://x.example/mcp?key=a%20b',
    version: 'HTTP/2',
    requestHeaders: [{ name: 'Content-Type', value: 'application/json' }],
    requestBody: null,
    requestBodySize: null,
    status: 200,
    reason: null,
    responseHeaders: [{ name: 'content-type', value: 'text/event-stream' }],
    timing: {
      dnsMs: 2,
      connectMs: 3,
      tlsMs: 4,
      firstByteMs: 10,
      reused: false,
      remote: '[::1]:8080',
      proxy: null,
      tls: null,
    },
    stages: [{ afterMs: 30, stage: 'end', text: '' }],
    stagesOmitted: 0,
    body: null,
    bodyBytes: null,
    requestSeq: seq(2),
    ...part,
  };
}

async function entries(http: HttpExchangeItem, last = '{"n":"ü"}'): Promise<HarEntry[]> {
  const text = (inline: string): TextBody => ({
    inline,
    body: host.setBody('b', inline),
    size: inline.length,
    pretty: null,
  });
  const messages: Record<string, string> = {
    2: '{"id":1}',
    3: '{"id":1,"big":9007199254740993}',
    4: last,
  };
  const host: ScriptedHost = new ScriptedHost({
    traffic_record: ({ seq: wanted }) =>
      ({
        row: row(Number(wanted), { kind: wanted === '1' ? 'http' : 'response', atMs: 1_700_000_000_000.5 }),
        raw: text(messages[wanted] ?? ''),
        related: [
          row(2, { direction: 'clientToServer', kind: 'request' }),
          row(3, { direction: 'serverToClient', kind: 'response' }),
          row(4, { direction: 'serverToClient' }),
        ],
        http: wanted === '1' ? http : null,
      }) as unknown as TrafficRecordResponse,
  });
  const written = await writeHar(host, [seq(1)], '1.2.3', () => {}, new AbortController().signal);
  const { log } = JSON.parse(written) as { log: { version: string; creator: object; entries: HarEntry[] } };
  expect(log).toMatchObject({ version: '1.2', creator: { name: 'Patchbay', version: '1.2.3' } });
  return log.entries;
}

it('has the request, the response and the times of an exchange', async () => {
  const [entry] = await entries(exchange({}));
  expect(entry).toMatchObject({
    startedDateTime: '2023-11-14T22:13:20.000Z',
    time: 30,
    request: {
      method: 'POST',
      httpVersion: 'HTTP/2',
      queryString: [{ name: 'key', value: 'a b' }],
      postData: { mimeType: 'application/json', text: '{"id":1}' },
      bodySize: 8,
    },
    response: { status: 200, content: { mimeType: 'text/event-stream' } },
    timings: { dns: 2, connect: 7, ssl: 4, wait: 10, receive: 11 },
    serverIPAddress: '::1',
  });
  // The messages of a stream are text: no number is rounded.
  expect(entry?.response.content.text).toBe('data: {"id":1,"big":9007199254740993}\n\ndata: {"n":"ü"}\n\n');
  expect(entry?.response.content.size).toBe(57);
});

it('says that only the beginning of a request body was recorded, and its real size', async () => {
  const [entry] = await entries(exchange({ requestBody: '{"messages":[', requestBodySize: 100_000 }));
  expect(entry?.request).toMatchObject({
    postData: { text: '{"messages":[', comment: 'Only the beginning of the body is recorded.' },
    bodySize: 100_000,
  });
});

it('writes each line of a message of a stream as a field of its event', async () => {
  const [entry] = await entries(exchange({}), '{\n"n":\r\n1}');
  expect(entry?.response.content.text).toMatch(/\n\ndata: {\ndata: "n":\ndata: 1}\n\n$/);
});

it('has a body of its own, and says why an exchange failed', async () => {
  const body = { inline: 'not found', body: 'b' as TextBody['body'], size: 9, pretty: null };
  const [own] = await entries(exchange({ body, status: 404, requestBody: 'sent', timing: null }));
  expect(own?.request.postData?.text).toBe('sent');
  expect(own?.response.content.text).toBe('not found');
  expect(own?.timings).toEqual({ blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: 0, receive: 30 });
  const stages = [{ afterMs: 5, stage: 'failed', text: 'connection refused' }];
  const [failed] = await entries(exchange({ status: null, stages, responseHeaders: [], url: 'not a URL' }));
  expect(failed).toMatchObject({ response: { status: 0 }, comment: 'failed: connection refused' });
});

it('is of the exchanges and of those that carried a message, each once', () => {
  const rows = [row(12, { httpSeq: seq(9) }), row(9, { kind: 'http' }), row(10, { kind: 'http' }), row(11)];
  expect(exchangesOf(rows)).toEqual(['9', '10']);
});
