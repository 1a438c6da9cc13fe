import { type Json, type JsonObject, fromPointer, isObject, memberAt } from '../../text/json';
import { TaskBudget, TooExpensive } from '../../background/budget';
import { type Fits, fitsIn } from '../fits';

/**
 * A schema as received: resolves the references in it, and says whether values fit parts of it. Nothing is fetched.
 * Deliberately not here: what the keywords mean for a form (keywords.ts).
 */
export class SchemaDocument {
  readonly root: JsonObject;
  /** Named parts: `#anchor`, and the absolute URIs of embedded schemas. */
  readonly #named = new Map<string, Json>();
  readonly #base: string | undefined;
  /** Called for the steps of reading the schema; throws `TooExpensive`. */
  readonly spend: (steps?: number) => void;
  #fits: Fits | undefined;

  constructor(root: JsonObject, spend?: (steps?: number) => void) {
    this.root = root;
    const budget = new TaskBudget(STEPS_PER_TASK);
    this.spend = spend ?? ((steps) => budget.spend(steps));
    this.#base = absolute(idOf(root), undefined);
    this.#findNames(root, undefined, 0);
  }

  /** The part of the document that a `$ref` names; undefined if there is none. */
  lookup(reference: string): Json | undefined {
    const named = this.#named.get(reference);
    if (named !== undefined) return named;
    if (reference.startsWith('#')) return partAt(this.root, reference.slice(1));
    const uri = absolute(reference, this.#base);
    if (uri === undefined) return undefined;
    const [document = '', fragment = ''] = uri.split('#');
    const part = document === this.#base ? this.root : this.#named.get(document);
    if (part === undefined || fragment === '') return part;
    return this.#named.get(`#${fragment}`) ?? partAt(part, fragment);
  }

  /** Whether a value fits a part of the document; false if that cannot be checked. */
  fits(part: Json, value: Json | undefined): boolean {
    this.#fits ??= fitsIn(this.root, this.spend);
    return this.#fits(part, value);
  }

  #findNames(node: Json, base: string | undefined, depth: number): void {
    if (depth > MAX_DEPTH * 2) throw new RangeError('nested too deeply');
    if (Array.isArray(node)) {
      for (const member of node) this.#findNames(member, base, depth + 1);
    } else if (isObject(node)) {
      for (const key of ['$anchor', '$dynamicAnchor']) {
        const anchor = node[key];
        if (typeof anchor === 'string') this.#named.set(`#${anchor}`, node);
      }
      const id = idOf(node);
      if (id !== undefined) this.spend(STEPS_PER_NAME);
      const uri = absolute(id, base);
      // Everything within this part would have an address that is as long.
      if (uri !== undefined && uri.length > MAX_URI) throw new TooExpensive();
      if (uri !== undefined) this.#named.set(uri.replace(/#$/, ''), node);
      for (const member of Object.values(node)) this.#findNames(member, uri ?? base, depth + 1);
    }
  }
}

/** How many parts of a schema are read within one task while a form is drawn. */
const STEPS_PER_TASK = 20_000;
/** What an address costs that has to be resolved. */
const STEPS_PER_NAME = 4;
/** A longer address of a part is not resolved, in characters. */
const MAX_URI = 2_000;

/** Nobody could fill in the form of a deeper schema. */
export const MAX_DEPTH = 40;

function idOf(node: JsonObject): string | undefined {
  const id = node['$id'] ?? node['id'];
  return typeof id === 'string' ? id : undefined;
}

function absolute(uri: string | undefined, base: string | undefined): string | undefined {
  if (uri === undefined) return undefined;
  if (uri.length > MAX_URI) throw new TooExpensive();
  try {
    return new URL(uri, base).href;
  } catch {
    return undefined;
  }
}

function partAt(root: Json, fragment: string): Json | undefined {
  try {
    return memberAt(root, fromPointer(decodeURIComponent(fragment)));
  } catch {
    return undefined;
  }
}
