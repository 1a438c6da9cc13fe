import type { Background } from '../../background/background';
import type { Validation } from './validate';

/** How long a check may take, in ms; beyond it only if the user asks. */
const LIMIT_MS = 3_000;
/** How long it may take if the user asks. */
export const LONG_LIMIT_MS = 30_000;
/** How many results and expensive schemas are remembered. */
const REMEMBERED = 32;
/** Larger values and schemas are not checked, in characters. */
const MAX_LENGTH = 8_000_000;

/** A value and the schema it is checked against, as JSON text. */
export interface Checked {
  schemaJson: string;
  valueJson: string;
}

/** Checks values against schemas of servers, in the background. */
export interface Checker {
  /** The result for exactly this value, if it is known already. */
  known(of: Checked): Validation | undefined;
  /**
   * Checks a value. Once the check of a schema was too expensive, it is not tried again for other values, unless `long`,
   * which also allows more time. Never rejects; stays pending if `signal` is aborted before it began.
   */
  check(of: Checked, signal?: AbortSignal, long?: boolean): Promise<Validation>;
}

export function createChecker(background: Background): Checker {
  const results: { of: Checked; validation: Validation }[] = [];
  const expensive: string[] = [];

  function known({ schemaJson, valueJson }: Checked): Validation | undefined {
    return results.find(({ of }) => of.valueJson === valueJson && of.schemaJson === schemaJson)?.validation;
  }

  async function check(of: Checked, signal?: AbortSignal, long = false): Promise<Validation> {
    const found = known(of);
    if (found !== undefined && !(long && found.type === 'tooExpensive')) return found;
    if (of.schemaJson.length + of.valueJson.length > MAX_LENGTH) return { type: 'tooExpensive' };
    if (!long && expensive.includes(of.schemaJson)) return { type: 'tooExpensive' };
    const outcome = await background.run({ type: 'check', ...of }, long ? LONG_LIMIT_MS : LIMIT_MS, signal);
    const validation: Validation =
      outcome.type === 'done'
        ? outcome.value
        : outcome.type === 'failed'
          ? { type: 'notChecked', reason: outcome.reason }
          : { type: 'tooExpensive' };
    if (validation.type === 'tooExpensive' && !expensive.includes(of.schemaJson)) {
      expensive.push(of.schemaJson);
      if (expensive.length > REMEMBERED) expensive.shift();
    }
    if (outcome.type !== 'failed') {
      const at = results.findIndex(
        (each) => each.of.valueJson === of.valueJson && each.of.schemaJson === of.schemaJson,
      );
      if (at >= 0) results.splice(at, 1);
      results.push({ of, validation });
      if (results.length > REMEMBERED) results.shift();
    }
    return validation;
  }

  return { known, check };
}
