import type { ServerId, ToolItem } from '../../../../contract/generated';
import {
  type AskMode,
  askMode,
  asksBefore,
  mayDestroy,
  setAskMode,
  setCalled,
} from '../../../../model/tools/consent';
import { useModel, useUi, useWorkspace } from '../../../../model/workspace/context';

/** Whether the user is asked before a tool is called, and what they choose. */
export interface Confirmation {
  /** Null if the tool says that it destroys nothing. */
  mode: AskMode | null;
  setMode: (mode: AskMode) => void;
  /** Whether to ask before the next call. */
  asks: boolean;
  /** The user has agreed to a call. */
  agree: (mode: AskMode) => void;
}

export function useConfirmation(serverId: ServerId, tool: ToolItem): Confirmation {
  const model = useModel();
  const mode = useUi((state) => askMode(state, serverId, tool));
  const called = useWorkspace(({ confirmedTools }) => confirmedTools[serverId]);
  const asks = useUi((state) => asksBefore(state, called, serverId, tool));
  const setMode = (next: AskMode): void => setAskMode(model, serverId, tool.name, next);
  return {
    mode: mayDestroy(tool.hints) ? mode : null,
    setMode,
    asks,
    agree: (next) => {
      setMode(next);
      setCalled(model.workspace, serverId, tool.name, true);
    },
  };
}
