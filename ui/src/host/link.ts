/** Whether the engine can be reached: always in the window, not always in a browser. */
export type LinkStatus =
  | 'up'
  /** Lost; reconnecting. */
  | 'lost'
  /** The engine does not know this page: it was not opened by the link that `patchbay serve` prints. */
  | 'refused';

/** The state of the connection to the engine, observable. */
export class Link {
  #status: LinkStatus = 'up';
  #cause = '';
  readonly #listeners = new Set<(status: LinkStatus) => void>();

  get status(): LinkStatus {
    return this.#status;
  }

  /** Why it is lost, a sentence; empty if nobody knows. */
  get cause(): string {
    return this.#cause;
  }

  set(status: LinkStatus, cause = ''): void {
    if (status === this.#status) return;
    this.#status = status;
    this.#cause = cause;
    for (const listener of this.#listeners) listener(status);
  }

  /** Calls `listener` at each change, until the returned function is called. */
  subscribe(listener: (status: LinkStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
