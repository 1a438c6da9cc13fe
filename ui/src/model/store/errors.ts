import type { CommandError } from '../../contract/generated';
import { CommandFailure } from '../../host/host';

/** What was thrown by a `Host`, as the error it carries. */
export function commandError(thrown: unknown): CommandError {
  if (thrown instanceof CommandFailure) return thrown.error;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: 'internal', message, detail: null };
}
