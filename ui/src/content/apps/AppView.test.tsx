import { MantineProvider } from '@mantine/core';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AppFrameId, BodyId, ExchangeOutcome, Seq, ServerId } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { aTool, toolPage } from '../../model/tools/tools.fixture';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { AppView } from './AppView';

const SERVER = 's' as ServerId;
const URI = 'ui://app';
const user = userEvent.setup();

const outcome: ExchangeOutcome = {
  type: 'result',
  raw: { inline: '{}', body: 'b' as BodyId, size: 2, pretty: null },
  view: { type: 'any' },
  freshness: null,
};

/** An app that is open, of a server with a destructive tool `wipe`. */
async function show() {
  let frames = 0;
  const host = new ScriptedHost({
    server_list: () => ({ items: [] }),
    tool_list: () =>
      toolPage([
        aTool(0, 'wipe', {
          hints: { readOnly: false, destructive: true, idempotent: null, openWorld: null },
        }),
      ]),
    app_frame_open: () => ({
      frameId: `frame-${(frames += 1)}` as AppFrameId,
      size: 10,
      policy: "default-src 'none'",
      origins: { connect: [], resource: [], frame: [], baseUri: [] },
      permissions: [],
      refused: [],
      domain: null,
      prefersBorder: null,
    }),
    app_frame_close: () => ({}),
    exchange_cancel: () => ({}),
  });
  const model = createModel(host);
  await model.tools.load(SERVER, false);
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <AppView serverId={SERVER} uri={URI} toolJson={null} call={undefined} />
      </ModelProvider>
    </MantineProvider>,
  );
  return { host };
}

/** The window in the frame of the app, and what it has received. jsdom makes another one when the frame is loaded. */
let inside: Window;
let received: Record<string, unknown>[];
beforeEach(() => {
  const frame = document.createElement('iframe');
  document.body.append(frame);
  inside = frame.contentWindow!;
  received = [];
  vi.spyOn(inside, 'postMessage').mockImplementation((message: unknown) => {
    received.push(message as Record<string, unknown>);
  });
  vi.spyOn(HTMLIFrameElement.prototype, 'contentWindow', 'get').mockReturnValue(inside);
});
afterEach(() => {
  vi.restoreAllMocks();
  document.querySelector('iframe')?.remove();
});

/** The app reads its resource, is loaded and says that it has begun. */
async function begins(host: ScriptedHost) {
  act(() => {
    host.stream('resource_read').emit({
      type: 'finished',
      outcome,
      durationMs: 1,
      humanWaitMs: 0,
      requestSeq: '1' as Seq,
      responseSeq: '2' as Seq,
    });
  });
  const frame = await screen.findByTitle<HTMLIFrameElement>(`App ${URI}`);
  await waitFor(() => expect(frame.getAttribute('src')).not.toBeNull());
  const sends = (message: object): void =>
    act(() => {
      const data = { jsonrpc: '2.0', ...message };
      window.dispatchEvent(new MessageEvent('message', { data, source: inside }));
    });
  sends({
    id: 1,
    method: 'ui/initialize',
    params: {
      protocolVersion: '2026-01-26',
      appInfo: { name: 'app', version: '1' },
      appCapabilities: {},
    },
  });
  await waitFor(() => expect(received.some(({ id }) => id === 1)).toBe(true));
  received = [];
  sends({ method: 'ui/notifications/initialized' });
  await screen.findByText('Waiting for a call');
  return {
    opens: (url: string): void => sends({ id: 9, method: 'ui/open-link', params: { url } }),
    calls: (id: number): void => sends({ id, method: 'tools/call', params: { name: 'wipe', arguments: {} } }),
  };
}

const calls = (host: ScriptedHost): number => host.streams('tool_call').length;

it('asks again before a destructive call once the app was opened again', async () => {
  const { host } = await show();
  const first = await begins(host);
  first.calls(2);
  await user.click(await screen.findByLabelText('Let this app call the tool while it is open'));
  await user.click(screen.getByRole('button', { name: 'Call tool' }));
  await waitFor(() => expect(calls(host)).toBe(1));
  first.calls(3);
  await waitFor(() => expect(calls(host)).toBe(2));

  await user.click(screen.getByRole('button', { name: 'Open the app again' }));
  const second = await begins(host);
  second.calls(2);
  expect(await screen.findByRole('dialog', { name: 'Call wipe?' })).toBeDefined();
  expect(calls(host)).toBe(2);
});

it('takes a question back when the app is opened again', async () => {
  const { host } = await show();
  const first = await begins(host);
  first.calls(2);
  await screen.findByRole('dialog', { name: 'Call wipe?' });
  act(() => screen.getByRole('button', { name: 'Open the app again', hidden: true }).click());
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls(host)).toBe(0);
});

it('shows all of the link that an app asks to open', async () => {
  const url = `https://a.example/${'a'.repeat(3_000)}?end=1`;
  const { host } = await show();
  const app = await begins(host);
  app.opens(url);
  const dialog = await screen.findByRole('dialog', { name: 'Open in the browser?' });
  expect(dialog.querySelector('.pb-selectable')?.textContent).toBe(url);
});
