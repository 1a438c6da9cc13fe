import type { ViolationItem } from '../../../contract/generated';

/** How much a problem matters to the user of this window. */
export type Weight = 'error' | 'warning' | 'info';

/** From the heaviest. */
export const WEIGHTS: readonly Weight[] = ['error', 'warning', 'info'];

/**
 * Rules whose violation Patchbay copes with: only other hosts may stumble. `id-null` is how servers over HTTP refuse a request that
 * they do not understand, such as the one that detects the era.
 */
export const ELSEWHERE: ReadonlySet<string> = new Set([
  'blank-line',
  'byte-order-mark',
  'carriage-return',
  'id-null',
  'id-number-text',
  'schema-dialect',
  'structured-content-without-text',
  'tool-name-characters',
]);

export function weightOf({ rule, severity }: Pick<ViolationItem, 'rule' | 'severity'>): Weight {
  return ELSEWHERE.has(rule) ? 'info' : severity;
}

/** Whether violations of these rules, and of no others, matter to other hosts only. */
export function isMild(rules: readonly string[]): boolean {
  return rules.length > 0 && rules.every((rule) => ELSEWHERE.has(rule));
}

/** The heaviest of these; `info` if there are none. */
export function heaviest(items: readonly Pick<ViolationItem, 'rule' | 'severity'>[]): Weight {
  const weights = new Set(items.map(weightOf));
  return WEIGHTS.find((weight) => weights.has(weight)) ?? 'info';
}
