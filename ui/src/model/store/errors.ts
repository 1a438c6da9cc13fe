import type { CommandError } from '../../contract/generated';
import { CommandFailure } from '../../host/host';

/** The error carried by what a `Host` threw. */
export function commandError(thrown: unknown): CommandError {
  if (thrown instanceof CommandFailure) return thrown.error;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: 'internal', message, detail: null };
}
