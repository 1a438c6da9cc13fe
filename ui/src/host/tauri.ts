import { Channel, invoke } from '@tauri-apps/api/core';
import type { BodyId, Calls, CommandError, Streams } from '../contract/generated';
import { CommandFailure, type Host, type StreamHandle, type StreamHandlers } from './host';

type StreamMessage<E> = { event: E } | { end: true; error?: CommandError };

/** The engine in the same process as the window. */
export class TauriHost implements Host {
  readonly front = 'window';
  #nextStream = 1;

  async call<N extends keyof Calls>(name: N, params: Calls[N]['params']): Promise<Calls[N]['response']> {
    const answer = await attempt(invoke<string>('call', { name, params: JSON.stringify(params) }));
    return JSON.parse(answer) as Calls[N]['response'];
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

    const channel = new Channel<string>((text) => {
      if (!open) return;
      const message = JSON.parse(text) as StreamMessage<Streams[N]['event']>;
      if ('event' in message) handlers.onEvent(message.event);
      else end(message.error);
    });
    invoke('open_stream', { name, params: JSON.stringify(params), streamId, channel }).catch(
      (thrown: unknown) => end(asFailure(thrown).error),
    );
    return {
      close() {
        if (!open) return;
        open = false;
        void invoke('close_stream', { streamId });
      },
    };
  }

  body(id: BodyId): Promise<ArrayBuffer> {
    return attempt(invoke<ArrayBuffer>('body', { id }));
  }
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
