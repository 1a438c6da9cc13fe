import type { Schema } from '@cfworker/json-schema';
import { type Json, isObject, toPlain } from '../text/json';

/** Thrown when work on foreign content would take too long. */
export class TooExpensive extends Error {
  constructor() {
    super('It is too expensive');
  }
}

/** Counts steps, so that what a server sends is bounded in the same way on a slow machine and on a fast one. */
export class Budget {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  /** Throws `TooExpensive` when no steps are left. */
  spend(steps = 1): void {
    this.#left -= steps;
    if (this.#left < 0) throw new TooExpensive();
  }
}

/** A budget that is full again at the next task of the event loop: no single task exceeds it. */
export class TaskBudget {
  #left: number;

  constructor(readonly steps: number) {
    this.#left = steps;
  }

  /** Throws `TooExpensive` when no steps are left in this task. */
  spend(steps = 1): void {
    if (this.#left === this.steps) {
      queueMicrotask(() => {
        this.#left = this.steps;
      });
    }
    this.#left -= steps;
    if (this.#left < 0) throw new TooExpensive();
  }
}

/** How a schema becomes plain JavaScript. */
export interface Metering {
  /** Called whenever the validator looks at a part of the schema; may throw. */
  onVisit: () => void;
  /** Whether a keyword is kept; all are without it. */
  keeps?: (keyword: string, value: Json) => boolean;
  /** Remembers which plain object each object became. */
  parts?: WeakMap<object, Schema>;
}

/**
 * A schema as plain JavaScript that tells whenever the validator looks at a part of it: a short schema can make it look at
 * more parts than there are atoms. The validator reads `$recursiveAnchor` of each part it visits.
 */
export function meteredSchema(schema: Json, { onVisit, keeps, parts }: Metering): unknown {
  const metered = (anchor: unknown): PropertyDescriptor => ({
    enumerable: anchor !== undefined,
    get() {
      onVisit();
      return anchor;
    },
  });
  const meter = Object.create(Object.prototype, { $recursiveAnchor: metered(undefined) }) as object;
  const copy = (value: Json): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    if (!isObject(value)) return toPlain(value);
    const plain: Record<string, unknown> = Object.fromEntries(
      Object.entries(value)
        .filter(([key, member]) => keeps?.(key, member) !== false)
        .map(([key, member]) => [key, copy(member)]),
    );
    if (Object.hasOwn(plain, '$recursiveAnchor')) {
      Object.defineProperty(plain, '$recursiveAnchor', metered(plain['$recursiveAnchor']));
    } else {
      Object.setPrototypeOf(plain, meter);
    }
    parts?.set(value, plain);
    return plain;
  };
  return copy(schema);
}
