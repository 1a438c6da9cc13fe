import type { ToolItem } from '../../../contract/generated';
import type { ArgumentsState } from '../../../model/form/arguments';
import { isObject, parseJson } from '../../../model/text/json';
import type { CallOptions } from '../../../model/exchange/request';

interface Situation {
  item: ToolItem;
  /** Whether the server is connected. */
  isReady: boolean;
  /** Whether its definition could not be loaded. */
  isUnknown: boolean;
  state: ArgumentsState;
  options: CallOptions;
}

/** Why a call cannot be sent, in a sentence; null if it can. Arguments that do not match the schema can be sent. */
export function disabledReason({ item, isReady, isUnknown, state, options }: Situation): string | null {
  if (item.excluded !== null) return `This tool must not be called: ${item.excluded}`;
  if (!item.callable) return 'This tool has no name, so it cannot be called.';
  if (!isReady) return 'The server is not connected.';
  if (isUnknown) return 'The definition of this tool could not be loaded. Refresh the tools.';
  if (state.type === 'broken') return `${state.reason}.`;
  if (options.metaJson !== null) {
    const meta = parseJson(options.metaJson);
    if (!meta.ok || !isObject(meta.value)) return '_meta in the call options is not a JSON object.';
  }
  return null;
}
