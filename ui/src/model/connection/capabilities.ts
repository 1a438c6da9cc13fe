import { isLosslessNumber } from 'lossless-json';
import { type Json, isObject, parseJson, writeJsonCompact } from '../text/json';

/** One capability as a row: `tools`, `listChanged`. */
export interface CapabilityRow {
  name: string;
  /** Its options; empty if it has none. */
  settings: string;
}

/** Declared capabilities as rows; null if they are no object. Unknown ones and `experimental` and `extensions` included. */
export function readCapabilities(json: string): CapabilityRow[] | null {
  const parsed = parseJson(json);
  if (!parsed.ok || !isObject(parsed.value)) return null;
  return Object.entries(parsed.value).flatMap(([name, value]) => {
    if ((name === 'experimental' || name === 'extensions') && isObject(value)) {
      const inner = Object.entries(value);
      if (inner.length > 0) {
        return inner.map(([key, setting]) => ({ name: `${name} ${key}`, settings: inWords(setting) }));
      }
    }
    return [{ name, settings: inWords(value) }];
  });
}

function inWords(value: Json): string {
  if (!isObject(value)) return value === true ? '' : writeJsonCompact(value);
  return Object.entries(value)
    .map(([key, setting]) => {
      if (setting === true || (isObject(setting) && Object.keys(setting).length === 0)) return key;
      if (setting === false) return `no ${key}`;
      const text = isLosslessNumber(setting) ? setting.value : writeJsonCompact(setting);
      return `${key}: ${text}`;
    })
    .join(', ');
}
