import { expect, it } from 'vitest';
import type { HttpExchangeItem, Seq, TrafficRecordResponse } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { asCurl, curlOf } from './curl';
import { row } from './trafficRows.fixture';

const HEADERS = [
  { name: 'host', value: '127.0.0.1:3001' },
  { name: 'accept', value: 'application/json, text/event-stream' },
  { name: 'Content-Length', value: '30' },
  { name: 'authorization', value: 'Bearer ••••6789' },
  { name: 'x-empty', value: '' },
];
const REQUEST = { method: 'POST', url: 'http://127.0.0.1:3001/mcp?a=b&c', requestHeaders: HEADERS };

it('writes a request for curl, quoted for a shell, without what curl writes itself', () => {
  expect(asCurl(REQUEST, `{"text":"it's 9007199254740993"}`)).toBe(
    `curl --no-buffer --globoff --request POST 'http://127.0.0.1:3001/mcp?a=b&c' \\
  --header 'accept: application/json, text/event-stream' \\
  --header 'authorization: Bearer ••••6789' \\
  --header 'x-empty;' \\
  --data-raw '{"text":"it'\\''s 9007199254740993"}'`,
  );
  expect(asCurl({ ...REQUEST, method: 'DELETE', requestHeaders: [] }, null)).toBe(
    `curl --no-buffer --globoff --request DELETE 'http://127.0.0.1:3001/mcp?a=b&c'`,
  );
});

/** A log with an HTTP exchange, 5, that carried the message 6. */
function log(http: Partial<HttpExchangeItem> | null): ScriptedHost {
  const host: ScriptedHost = new ScriptedHost({
    traffic_record: ({ seq }) =>
      ({
        row: row(Number(seq)),
        raw: { inline: null, body: host.setBody('m', '{"method":"ping"}'), size: 17, pretty: null },
        http:
          http === null
            ? null
            : { ...REQUEST, requestBody: null, requestBodySize: null, requestSeq: '6' as Seq, ...http },
      }) as unknown as TrafficRecordResponse,
  });
  return host;
}

it('takes the body from the message that was carried, or from the exchange itself', async () => {
  expect(await curlOf(log({}), '5' as Seq)).toContain(`--data-raw '{"method":"ping"}'`);
  expect(await curlOf(log({ requestBody: 'a=b' }), '5' as Seq)).toContain('--data-raw a=b');
  expect(await curlOf(log({ requestSeq: null }), '5' as Seq)).not.toContain('--data-raw');
  await expect(curlOf(log(null), '5' as Seq)).rejects.toThrow('Not sent over HTTP');
});

it('refuses a request of which only the beginning was recorded', async () => {
  const cut = log({ requestBody: '{"messages":[', requestBodySize: 100_000 });
  await expect(curlOf(cut, '5' as Seq)).rejects.toThrow(
    'Only the beginning of the body (100 kB) is recorded.',
  );
});
