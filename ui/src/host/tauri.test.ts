import { PhysicalPosition } from '@tauri-apps/api/dpi';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AppFrameId, BodyId } from '../contract/generated';
import { CommandFailure } from './host';
import { TauriHost } from './tauri';

interface Invoked {
  command: string;
  body: unknown;
  headers: Record<string, string>;
}

const tauri = vi.hoisted(() => ({
  invoked: [] as Invoked[],
  answer: (): Promise<unknown> => Promise.resolve(undefined),
  channels: [] as ((message: unknown) => void)[],
  drag: (() => {}) as (event: { payload: unknown }) => void,
}));

vi.mock('@tauri-apps/api/webview', () => ({
  getCurrentWebview: () => ({
    onDragDropEvent: (listener: typeof tauri.drag) => {
      tauri.drag = listener;
      return Promise.resolve(() => {});
    },
  }),
}));

vi.mock('@tauri-apps/api/core', () => ({
  invoke: (command: string, body: unknown, options?: { headers: Record<string, string> }) => {
    tauri.invoked.push({ command, body, headers: options?.headers ?? {} });
    return tauri.answer();
  },
  convertFileSrc: (path: string, protocol: string) => `${protocol}://localhost/${path}`,
  Channel: class {
    readonly #id: number;
    constructor(onMessage: (message: unknown) => void) {
      this.#id = tauri.channels.push(onMessage);
    }
    toJSON(): string {
      return `__CHANNEL__:${this.#id}`;
    }
  },
}));

beforeEach(() => {
  tauri.invoked.length = 0;
  tauri.channels.length = 0;
  tauri.answer = () => Promise.resolve(undefined);
});

afterEach(() => void vi.unstubAllGlobals());

const text = (body: unknown): string => new TextDecoder().decode(body as Uint8Array);

test('parameters are encoded once, as the raw body, and the answer is taken as it is', async () => {
  const answer = { url: 'https://example.com' };
  tauri.answer = () => Promise.resolve(answer);
  const given = await new TauriHost().call('link_open', { url: 'https://example.com/"quoted"' });
  expect(given).toBe(answer);
  const [invoked] = tauri.invoked;
  expect(invoked?.command).toBe('call');
  expect(invoked?.headers).toEqual({ 'patchbay-command': 'link_open' });
  expect(text(invoked?.body)).toBe('{"url":"https://example.com/\\"quoted\\""}');
});

test('a dropped file has the bytes and the name, whichever system it is of', async () => {
  tauri.answer = () => Promise.resolve(new TextEncoder().encode('Zürich').buffer);
  for (const [path, name] of [
    ['/srv/notes/größer.md', 'größer.md'],
    ['C:\\notes\\notes.txt', 'notes.txt'],
  ] as const) {
    const file = await new TauriHost().droppedFile(path);
    expect([file.name, await file.text()]).toEqual([name, 'Zürich']);
    expect(tauri.invoked.at(-1)).toMatchObject({ command: 'dropped_file', body: { path } });
  }
});

test.each([
  ['Windows NT 10.0', { devicePixelRatio: 3, outerWidth: 1000, innerWidth: 660 }, { x: 100, y: 20 }],
  // Twice as many pixels as points, and a page at 150 %.
  ['X11; Linux x86_64', { devicePixelRatio: 2, outerWidth: 1200, innerWidth: 800 }, { x: 200, y: 40 }],
  ['Macintosh; Intel Mac OS X', { devicePixelRatio: 2, outerWidth: 900, innerWidth: 900 }, { x: 300, y: 60 }],
  ['X11; Linux x86_64', { devicePixelRatio: 2, outerWidth: 0, innerWidth: 800 }, { x: 300, y: 60 }],
])('files are dropped at the point of the page that is below them (%s)', (userAgent, window, point) => {
  vi.stubGlobal('navigator', { userAgent });
  vi.stubGlobal('window', window);
  const seen: unknown[] = [];
  new TauriHost().onFileDrop((drop) => seen.push(drop));
  const position = new PhysicalPosition(300, 60);
  tauri.drag({ payload: { type: 'over', position } });
  tauri.drag({ payload: { type: 'drop', paths: ['/a'], position } });
  expect(seen).toEqual([
    { type: 'over', paths: [], ...point },
    { type: 'drop', paths: ['/a'], ...point },
  ]);
});

test('a refused call fails with the error of the command', async () => {
  const error = { code: 'notFound', message: 'Gone.', detail: null };
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
  tauri.answer = () => Promise.reject(error);
  const failure = await new TauriHost().call('app_info', {}).catch((thrown: unknown) => thrown);
  expect(failure).toBeInstanceOf(CommandFailure);
  expect((failure as CommandFailure).error).toEqual(error);
});

test('a stream gives its events as they are, in order, until it ends', () => {
  const seen: unknown[] = [];
  const ends: unknown[] = [];
  new TauriHost().openStream(
    'app_watch',
    {},
    { onEvent: (event) => seen.push(event), onEnd: (error) => ends.push(error) },
  );
  expect(tauri.invoked[0]?.headers).toEqual({
    'patchbay-command': 'app_watch',
    'patchbay-stream': '1',
    'patchbay-channel': '__CHANNEL__:1',
  });
  const events = [{ revision: 1 }, { revision: 2 }];
  for (const event of events) tauri.channels[0]?.({ event });
  tauri.channels[0]?.({ end: true });
  tauri.channels[0]?.({ event: { revision: 3 } });
  expect(seen).toEqual(events);
  expect(ends).toEqual([undefined]);
});

test('the document of an app is behind its own scheme', () => {
  expect(new TauriHost().appFrame('abc' as AppFrameId)).toBe('app-frame://localhost/abc');
});

describe('a body', () => {
  const PART = 4_000_000;
  const served = (length: number): void => {
    tauri.answer = () => {
      const { from, most } = tauri.invoked.at(-1)!.body as { from: number; most: number };
      const bytes = Uint8Array.from(
        { length: Math.max(0, Math.min(most, length - from)) },
        (_, at) => (from + at) % 251,
      );
      return Promise.resolve(bytes.buffer);
    };
  };
  const asked = (): unknown[] => tauri.invoked.map(({ body }) => body);

  test('is received in parts, each from where the one before ended', async () => {
    served(PART + 5);
    const parts: Uint8Array[] = [];
    for await (const part of new TauriHost().bodyParts('f:1' as BodyId)) parts.push(part);
    expect(parts.map(({ length }) => length)).toEqual([PART, 5]);
    expect(parts[1]?.[4]).toBe((PART + 4) % 251);
    expect(asked()).toEqual([
      { id: 'f:1', from: 0, most: PART },
      { id: 'f:1', from: PART, most: PART },
    ]);
  });

  test('of which the rest is not wanted says so', async () => {
    served(3 * PART);
    for await (const part of new TauriHost().bodyParts('f:1' as BodyId)) {
      expect(part).toHaveLength(PART);
      break;
    }
    expect(asked().at(-1)).toEqual({ id: 'f:1', from: PART, most: 0 });
  });
});
