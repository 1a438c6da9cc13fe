/**
 * The text of a message of an app. A structured clone can stand for far more JSON than it takes itself: references to the same
 * array are written each time, an array has a length without having elements, and a byte of a buffer becomes a member.
 */

/** The most characters of a message as JSON. */
export const LARGEST = 4_000_000;
/** The most values in a message. */
export const MOST_VALUES = 1_000_000;

/** A message as JSON, or why it is not read, and how much of the largest message was looked at to see that (0 to 1). */
export type MessageText = { json: string } | { why: string; effort: number };

/** Stops the writing of a message; the text says why. */
class Refused extends Error {}

/** The JSON of a message. It is written only while it is within the limits. */
export function messageText(data: unknown): MessageText {
  let values = 0;
  let characters = 0;
  function count(this: unknown, key: string, value: unknown): unknown {
    values += 1;
    if (!Array.isArray(this)) characters += key.length;
    if (isText(value)) characters += value.length;
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) throw new Refused('it has binary data');
    const length = Array.isArray(value) ? value.length : 0;
    if (values + length > MOST_VALUES)
      throw new Refused(`it has more than ${MOST_VALUES.toLocaleString('en')} values`);
    if (characters > LARGEST) throw new Refused(TOO_LONG);
    return value;
  }
  const refused = (why: string): MessageText => {
    return { why, effort: Math.min(1, Math.max(values / MOST_VALUES, characters / LARGEST)) };
  };
  try {
    // It has none for `undefined`, other than its type says.
    const json = JSON.stringify(data, count) as string | undefined;
    if (json === undefined) return refused('it is not JSON');
    return json.length > LARGEST ? refused(TOO_LONG) : { json };
  } catch (thrown) {
    return refused(thrown instanceof Refused ? thrown.message : 'it is not JSON');
  }
}

/** Whether it is a string, or an object that is written as one. */
function isText(value: unknown): value is string {
  return typeof value === 'string' || Object.prototype.toString.call(value) === '[object String]';
}

const TOO_LONG = `it has more than ${LARGEST.toLocaleString('en')} characters`;
