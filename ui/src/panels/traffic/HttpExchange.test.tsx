import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { BodyId, HttpExchangeItem, Seq, TrafficRow } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { row, rows } from '../../model/traffic/trafficRows.fixture';
import { TrafficDetail } from './TrafficDetail';

const http: HttpExchangeItem = {
  seq: '5' as Seq,
  method: 'POST',
  url: 'http://127.0.0.1:3001/mcp',
  version: 'HTTP/1.1',
  requestBody: null,
  requestBodySize: null,
  requestHeaders: [{ name: 'authorization', value: 'Bearer ••••6789' }],
  status: 200,
  reason: 'OK',
  responseHeaders: [{ name: 'content-type', value: 'text/event-stream' }],
  timing: {
    dnsMs: 1,
    connectMs: 2,
    tlsMs: null,
    firstByteMs: 3,
    reused: false,
    remote: '127.0.0.1:3001',
    proxy: null,
    tls: null,
  },
  stages: [
    { afterMs: 6, stage: 'head', text: '200 OK' },
    { afterMs: 6, stage: 'sseId', text: 'event-7' },
    { afterMs: 9, stage: 'end', text: '' },
  ],
  stagesOmitted: 0,
  body: null,
  bodyBytes: null,
  requestSeq: '6' as Seq,
};

const CARRIED = [row(6, { kind: 'request', method: 'initialize', httpSeq: '5' as Seq })];

function open(part: Partial<HttpExchangeItem> = {}, of: Partial<TrafficRow> = {}, related = CARRIED) {
  const exchange = row(5, { kind: 'http', method: 'POST', status: 'ok', ...of });
  const host = new ScriptedHost({
    traffic_record: () => ({
      row: exchange,
      raw: { inline: 'POST /mcp HTTP/1.1', body: host.setBody('r', ''), size: 18, pretty: null },
      bytes: host.setBody('r', ''),
      isUtf8: true,
      redactions: 1,
      violations: [],
      pair: null,
      related,
      http: exchange.kind === 'http' ? { ...http, ...part } : null,
    }),
  });
  host.setBody('b', 'ab');
  const onShow = vi.fn();
  const listeners = new Set<() => void>();
  const log = {
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  render(
    <MantineProvider env="test">
      <ModelProvider model={createModel(host)}>
        <TrafficDetail
          seq={exchange.seq}
          row={exchange}
          log={log}
          form="decoded"
          onForm={() => {}}
          onFilter={() => {}}
          onShow={onShow}
          onClose={() => {}}
        />
      </ModelProvider>
    </MantineProvider>,
  );
  return {
    onShow,
    loaded: () => host.calls.filter(({ name }) => name === 'traffic_record').length,
    /** The log changes. */
    change: () => listeners.forEach((listener) => listener()),
  };
}

it('shows where it went, what came back, how long its parts took, and the messages it carried', async () => {
  const { onShow } = open();
  expect(await screen.findByText('http://127.0.0.1:3001/mcp')).toBeDefined();
  expect(screen.getByText(/200 OK/)).toBeDefined();
  const timing = within(screen.getByRole('table', { name: 'Timing' }));
  const parts = timing.getAllByRole('rowheader').map(({ textContent }) => textContent);
  expect(parts).toEqual(['DNS', 'Connect', 'Waiting', 'Download', 'Total']);
  fireEvent.click(screen.getByRole('button', { name: '#6' }));
  expect(onShow).toHaveBeenCalledWith('6');
});

it('shows heads and stages as they came', async () => {
  open();
  await screen.findByText(/200 OK/);
  expect(screen.getByText('A secret was masked here')).toBeDefined();
  fireEvent.click(screen.getByLabelText('Headers'));
  const headers = screen.getByRole('table', { name: 'Request headers' });
  expect(headers.textContent).toBe('authorizationBearer ••••6789');
  fireEvent.click(screen.getByLabelText('Stages'));
  expect(screen.getByRole('table', { name: 'Stages' }).textContent).toContain('SSE idevent-7');
});

it('says that only the beginning of a request body was recorded', async () => {
  open({ requestBody: '{"messages":[', requestBodySize: 100_000 });
  await screen.findByText(/200 OK/);
  fireEvent.click(screen.getByLabelText('Body'));
  expect(screen.getByText('Only the beginning of the body (100 kB) is recorded.')).toBeDefined();
});

it('shows the body of a response as bytes', async () => {
  open({ body: { inline: 'ab', body: 'b' as BodyId, size: 2, pretty: null }, bodyBytes: 'b' as BodyId });
  await screen.findByText(/200 OK/);
  fireEvent.click(screen.getByLabelText('Body'));
  fireEvent.click(screen.getByRole('button', { name: 'Show the bytes' }));
  expect(await screen.findByText(/^00000000 61 62 ab$/)).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Show as text' }));
  expect(screen.queryByText(/^00000000/)).toBeNull();
});

it('says why there is no response', async () => {
  open({
    status: null,
    reason: null,
    responseHeaders: [],
    timing: null,
    stages: [{ afterMs: 2, stage: 'failed', text: 'Connection refused' }],
  });
  expect(await screen.findByText(/none: Connection refused/)).toBeDefined();
  expect(screen.getByText(/no connection was made/)).toBeDefined();
});

it('ends at its last stage where no end was recorded', async () => {
  const unanswered = { status: null, reason: null, responseHeaders: [] };
  const stages = [
    { afterMs: 0, stage: 'sent', text: '' },
    { afterMs: 4, stage: 'connected', text: '' },
  ];
  open({ ...unanswered, timing: { ...http.timing!, firstByteMs: null }, stages }, { status: 'lost' });
  expect(await screen.findByText(/none: the connection ended/)).toBeDefined();
  expect(screen.getByRole('table', { name: 'Timing' }).textContent).toMatch(/Total4(\.0*)? ms$/);
});

it('copies the request for curl, and says so', async () => {
  const user = userEvent.setup();
  open();
  await screen.findByText(/200 OK/);
  await user.click(screen.getByRole('button', { name: 'Copy as cURL, secrets masked' }));
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeDefined();
  const text = await navigator.clipboard.readText();
  expect(text).toContain(`curl --no-buffer --globoff --request POST http://127.0.0.1:3001/mcp`);
  expect(text).toContain(`--header 'authorization: Bearer ••••6789'`);
  expect(text).toContain(`--data-raw 'POST /mcp HTTP/1.1'`);
});

it('says of the body of an exchange without messages that there is none', async () => {
  open({ requestSeq: null, method: 'DELETE' }, {}, []);
  await screen.findByText(/200 OK/);
  fireEvent.click(screen.getByLabelText('Body'));
  expect(screen.getByText('No body.')).toBeDefined();
});

it('says of the body of an exchange with messages that they are records', async () => {
  open({ requestSeq: null });
  await screen.findByText(/200 OK/);
  fireEvent.click(screen.getByLabelText('Body'));
  expect(screen.getByText(/contains MCP messages/)).toBeDefined();
});

it('is open while its stream lasts, as in the list', async () => {
  open({}, { status: 'pending' });
  await screen.findByText(/200 OK/);
  expect(screen.getByText('open')).toBeDefined();
  expect(screen.queryByText('waiting')).toBeNull();
});

it('says that only the first messages are listed, and which filter shows the others', async () => {
  open({}, { operation: '12' }, rows(6, 205));
  expect((await screen.findByText(/Only the first 200 are listed/)).textContent).toContain('op:12');
});

it('says so of the records related to a message, too', async () => {
  open({}, { kind: 'request' }, rows(6, 205));
  expect(await screen.findByText('Related (the first 200)')).toBeDefined();
  expect(screen.getByText('Only the first 200 are listed.')).toBeDefined();
});

it('is read again while it goes on and the log changes, at most once a second', async () => {
  const { loaded, change } = open({}, { status: 'pending' });
  await screen.findByText(/200 OK/);
  vi.useFakeTimers();
  const pass = (ms: number): Promise<void> => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));
  try {
    await pass(5_000);
    expect(loaded()).toBe(1);
    for (let at = 0; at < 15; at++) {
      change();
      await pass(100);
    }
    expect(loaded()).toBe(2);
    await pass(5_000);
    expect(loaded()).toBe(3);
  } finally {
    vi.useRealTimers();
  }
});

it('is not read again once it has ended', async () => {
  const { loaded, change } = open();
  await screen.findByText(/200 OK/);
  vi.useFakeTimers();
  try {
    change();
    await act(async () => void (await vi.advanceTimersByTimeAsync(5_000)));
    expect(loaded()).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});
