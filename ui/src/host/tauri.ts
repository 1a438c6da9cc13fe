import { Channel, convertFileSrc, invoke } from '@tauri-apps/api/core';
import { getCurrentWebview } from '@tauri-apps/api/webview';
import type { AppFrameId, BodyId, Calls, CommandError, Streams } from '../contract/generated';
import {
  CommandFailure,
  type FileDrop,
  type Host,
  type Notifier,
  type StreamHandle,
  type StreamHandlers,
} from './host';

type StreamMessage<E> = { event: E } | { end: true; error?: CommandError };

/** How many bytes of a body are received at once. WebKit takes some 6 ms for each MB. */
const BODY_PART = 4_000_000;

/** The engine in the same process as the window. */
export class TauriHost implements Host {
  readonly front = 'window';
  readonly notifier: Notifier = {
    permission: () => 'granted',
    request: () => Promise.resolve(),
    show: (options) => {
      // Without a notification service, the inbox alone shows it.
      invoke('plugin:notification|notify', { options }).catch(() => {});
    },
  };
  #nextStream = 1;

  call<N extends keyof Calls>(name: N, params: Calls[N]['params']): Promise<Calls[N]['response']> {
    const headers = { 'patchbay-command': name };
    return attempt(invoke<Calls[N]['response']>('call', encoded(params), { headers }));
  }

  openStream<N extends keyof Streams>(
    name: N,
    params: Streams[N]['params'],
    handlers: StreamHandlers<Streams[N]['event']>,
  ): StreamHandle {
    const streamId = this.#nextStream++;
    let open = true;
    const end = (error?: CommandError): void => {
      if (!open) return;
      open = false;
      handlers.onEnd?.(error);
    };

    const channel = new Channel<StreamMessage<Streams[N]['event']>>((message) => {
      if (!open) return;
      if ('event' in message) handlers.onEvent(message.event);
      else end(message.error);
    });
    const headers = {
      'patchbay-command': name,
      'patchbay-stream': String(streamId),
      'patchbay-channel': channel.toJSON(),
    };
    invoke('open_stream', encoded(params), { headers }).catch((thrown: unknown) =>
      end(asFailure(thrown).error),
    );
    return {
      close() {
        if (!open) return;
        open = false;
        void invoke('close_stream', { streamId });
      },
    };
  }

  async *bodyParts(id: BodyId): AsyncIterable<Uint8Array> {
    let from = 0;
    let isWhole = false;
    const next = (most: number) => attempt(invoke<ArrayBuffer>('body', { id, from, most }));
    try {
      while (!isWhole) {
        // oxlint-disable-next-line no-await-in-loop -- each part begins where the one before ends
        const part = new Uint8Array(await next(BODY_PART));
        from += part.byteLength;
        isWhole = part.byteLength < BODY_PART;
        yield part;
      }
    } finally {
      // Nobody wants the rest.
      if (!isWhole && from > 0) next(0).catch(() => {});
    }
  }

  pickFolder(from: string): Promise<string | null> {
    return pick({ directory: true, title: 'Choose a folder' }, from);
  }

  pickFile(from: string): Promise<string | null> {
    return pick({ directory: false, title: 'Choose a file' }, from);
  }

  onFileDrop(listener: (drop: FileDrop) => void): () => void {
    const unlisten = getCurrentWebview().onDragDropEvent(({ payload }) => {
      if (payload.type === 'leave') {
        listener({ type: 'leave', paths: [], x: -1, y: -1 });
        return;
      }
      const { x, y } = pointOfPage(payload.position);
      const isDrop = payload.type === 'drop';
      listener({ type: isDrop ? 'drop' : 'over', paths: isDrop ? payload.paths : [], x, y });
    });
    // Without the events, folders are typed or chosen.
    return () => void unlisten.then((stop) => stop()).catch(() => {});
  }

  async droppedFile(path: string): Promise<File> {
    const bytes = await attempt(invoke<ArrayBuffer>('dropped_file', { path }));
    return new File([bytes], path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1));
  }

  appFrame(id: AppFrameId): string {
    return convertFileSrc(id, 'app-frame');
  }
}

/**
 * The point of the page at which something is dragged. Windows tells it in pixels of the screen; GTK and macOS tell it in points
 * without the zoom of the page, although its type is that of pixels too.
 */
function pointOfPage({ x, y }: { x: number; y: number }): { x: number; y: number } {
  const { devicePixelRatio, outerWidth, innerWidth } = window;
  const isInPixels = navigator.userAgent.includes('Windows');
  // There is nothing beside the page in its window. WebKit leaves the zoom out of `devicePixelRatio`.
  const zoom = outerWidth > 0 && innerWidth > 0 ? outerWidth / innerWidth : 1;
  const scale = isInPixels ? devicePixelRatio : zoom;
  return { x: x / scale, y: y / scale };
}

/** Asks for a path in a dialog of the system. */
function pick(what: { directory: boolean; title: string }, from: string): Promise<string | null> {
  const options = { ...what, ...(from === '' ? {} : { defaultPath: from }) };
  return attempt(invoke<string | null>('plugin:dialog|open', { options }));
}

/** Parameters as the raw body of a request, so that Tauri does not encode them a second time. */
function encoded(params: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(params));
}

async function attempt<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (thrown) {
    throw asFailure(thrown);
  }
}

/** Tauri rejects with what the command returned: a `CommandError`; or with a text, when it has no such command. */
function asFailure(thrown: unknown): CommandFailure {
  if (typeof thrown === 'object' && thrown !== null && 'code' in thrown && 'message' in thrown) {
    return new CommandFailure(thrown as CommandError);
  }
  return new CommandFailure({ code: 'internal', message: String(thrown), detail: null });
}
