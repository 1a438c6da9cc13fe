import type { AppFrameId, BodyId, Calls, CommandError, Streams } from '../contract/generated';

/** An open stream. */
export interface StreamHandle {
  /** Closes the stream; no event follows. What it started continues. */
  close(): void;
}

/** The events of a stream. */
export interface StreamHandlers<E> {
  onEvent(event: E): void;
  /** The stream ended, normally or with an error. */
  onEnd?(error?: CommandError): void;
}

/** The interface to the engine, the same in the window (Tauri) and in a browser (WebSocket). */
export interface Host {
  /** Which front this is. */
  readonly front: 'window' | 'browser';
  /** Rejects with a `CommandFailure`. */
  call<N extends keyof Calls>(name: N, params: Calls[N]['params']): Promise<Calls[N]['response']>;
  openStream<N extends keyof Streams>(
    name: N,
    params: Streams[N]['params'],
    handlers: StreamHandlers<Streams[N]['event']>,
  ): StreamHandle;
  /** The bytes behind an id, in parts: receiving many MB at once would block the window. Rejects with a `CommandFailure`. */
  bodyParts(id: BodyId): AsyncIterable<Uint8Array>;
  /** Lets the user choose a folder in a dialog of the system: its path, or null if they cancelled. Only in the window. */
  pickFolder?(from: string): Promise<string | null>;
  /** Lets the user choose a file in a dialog of the system: its path, or null if they cancelled. Only in the window. */
  pickFile?(from: string): Promise<string | null>;
  /**
   * Calls `listener` while files are dragged over the window and when they are dropped, until the returned function is called.
   * Only in the window: a browser does not say where a file is.
   */
  onFileDrop?(listener: (drop: FileDrop) => void): () => void;
  /** A file that was just dropped into the window, by its path. Rejects with a `CommandFailure`. Only in the window. */
  droppedFile?(path: string): Promise<File>;
  /** Desktop notifications, where there are any. */
  readonly notifier?: Notifier;
  /** The address of the document of an app's frame. */
  appFrame(id: AppFrameId): string;
}

/** Files that are dragged into the window. */
export interface FileDrop {
  /** `leave`: they are no longer over it. */
  type: 'over' | 'drop' | 'leave';
  /** Absolute paths; only with `drop`. */
  paths: string[];
  /** Where, in CSS px from the left and the top of the window. */
  x: number;
  y: number;
}

/** Desktop notifications of the system. */
export interface Notifier {
  /** Whether they may be shown; `unasked` if the user has to be asked first. */
  permission(): 'granted' | 'denied' | 'unasked';
  /** Asks the user. Call it only when the user has just done something. */
  request(): Promise<void>;
  /** Shows one. A click on it brings the window to the front and calls `onClick`, where the system tells. */
  show(notification: { title: string; body: string }, onClick: () => void): void;
}

/** A command failed; thrown by `Host.call`. */
export class CommandFailure extends Error {
  constructor(readonly error: CommandError) {
    super(error.message);
    this.name = 'CommandFailure';
  }
}
