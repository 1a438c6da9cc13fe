import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** The code of a part did not arrive. */
export class PartNotLoaded extends Error {
  constructor(cause: unknown) {
    super('A part of the program could not be loaded.', { cause });
    this.name = 'PartNotLoaded';
  }
}

let attempt = 0;

/** Parts that could not be loaded are asked for again when they are drawn next. */
export function tryPartsAgain(): void {
  attempt += 1;
}

/** A component whose code comes when it is first drawn. Unlike `lazy`, a failure need not be for ever. */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let failed = false;
  let madeAt = attempt;
  let Loaded = make();

  function make(): LazyExoticComponent<ComponentType<P>> {
    failed = false;
    madeAt = attempt;
    return lazy(async () => {
      try {
        return { default: await load() };
      } catch (thrown) {
        failed = true;
        throw new PartNotLoaded(thrown);
      }
    });
  }

  return function LazyPart(props: P) {
    // Not at once: React draws a part again when it failed, to hear of it.
    if (failed && madeAt !== attempt) Loaded = make();
    return <Loaded {...props} />;
  };
}
