import { type ComponentType, type LazyExoticComponent, lazy, useState } from 'react';

/** The code of a part could not be loaded. */
export class PartNotLoaded extends Error {
  constructor(cause: unknown) {
    super('A part of the program could not be loaded.', { cause });
    this.name = 'PartNotLoaded';
  }
}

let attempt = 0;

/** Parts that could not be loaded are requested again when they are rendered next. */
export function tryPartsAgain(): void {
  attempt += 1;
}

export type LazyPart<P extends object> = ComponentType<P> & {
  /** Fetches the code ahead of need. A failure is shown when the part is rendered; the promise does not tell it. */
  preload: () => Promise<void>;
};

/**
 * A component whose code is loaded when it is first drawn. Unlike with `lazy`, a failure can be retried, and code that has
 * already been loaded is drawn at once: `lazy` shows the fallback first, and React then keeps that for 300 ms.
 */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): LazyPart<P> {
  let come: ComponentType<P> | undefined;
  let failed = false;
  let madeAt = attempt;
  let Loaded = make();

  async function fetchPart(): Promise<ComponentType<P>> {
    come = await load();
    return come;
  }

  function make(): LazyExoticComponent<ComponentType<P>> {
    failed = false;
    madeAt = attempt;
    return lazy(async () => {
      try {
        return { default: await fetchPart() };
      } catch (thrown) {
        failed = true;
        throw new PartNotLoaded(thrown);
      }
    });
  }

  function drawn(): ComponentType<P> {
    // Not at once: React draws a failed part a second time before it reports the failure.
    if (failed && madeAt !== attempt) Loaded = make();
    return come ?? Loaded;
  }

  function Part(props: P) {
    // The same for as long as it is mounted: to React, another type is another instance.
    const [Drawn] = useState(drawn);
    return <Drawn {...props} />;
  }
  return Object.assign(Part, {
    preload: () =>
      fetchPart().then(
        () => {},
        () => {},
      ),
  });
}
