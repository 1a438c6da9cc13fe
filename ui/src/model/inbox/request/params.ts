import { type JsonObject, isObject, parseJson } from '../../text/json';

/**
 * The params of requests as values. Small ones are read at once and remembered: a request is read for every keystroke of its
 * answer. Large ones are read in a worker, in part (requestReader.ts), before their dialog shows them.
 */

/** Longer params are not read where the window is drawn, in characters. */
const LARGE = 1_500_000;

interface Read {
  paramsJson: string;
  params: JsonObject;
  /** Whether `params` is all of it. */
  isWhole: boolean;
}

const READ: Read[] = [];
const MOST_READ = 4;

/** Whether a request is read in a worker. */
export function isLarge(paramsJson: string): boolean {
  return paramsJson.length > LARGE;
}

/** The params as an object, of large ones the part that was read; empty if they are not an object. Not to be changed. */
export function paramsOf(paramsJson: string): JsonObject {
  return readOf(paramsJson).params;
}

/** Whether `paramsOf` is all of the params. */
export function isWhole(paramsJson: string): boolean {
  return readOf(paramsJson).isWhole;
}

/** Remembers what was read of large params. */
export function remember(read: Read): void {
  const at = READ.findIndex(({ paramsJson }) => paramsJson === read.paramsJson);
  if (at >= 0) READ.splice(at, 1);
  READ.unshift(read);
  READ.splice(MOST_READ);
}

function readOf(paramsJson: string): Read {
  const known = READ.find((each) => each.paramsJson === paramsJson);
  if (known !== undefined) return known;
  if (isLarge(paramsJson)) return { paramsJson, params: {}, isWhole: false };
  const parsed = parseJson(paramsJson);
  const read = { paramsJson, params: parsed.ok && isObject(parsed.value) ? parsed.value : {}, isWhole: true };
  remember(read);
  return read;
}
