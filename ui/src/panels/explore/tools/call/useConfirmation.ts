import { useStore } from 'zustand';
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
  /** Whether its definition changed since the user reviewed it. */
  isChanged: boolean;
  /** The user has agreed to a call. */
  agree: (mode: AskMode) => void;
}

export function useConfirmation(serverId: ServerId, tool: ToolItem): Confirmation {
  const model = useModel();
  const mode = useUi((state) => askMode(state, serverId, tool));
  const called = useWorkspace(({ confirmedTools }) => confirmedTools[serverId]);
  // A call of a tool whose change was not accepted is refused by the engine, so nothing is asked.
  const isChanged = useStore(model.definitions, (all) => {
    const change = all[serverId]?.byName.get(tool.name);
    return change?.change === 'changed' && !change.refused;
  });
  const asks = useUi((state) => asksBefore(state, called, serverId, tool, isChanged));
  const setMode = (next: AskMode): void => setAskMode(model, serverId, tool.name, next);
  return {
    mode: mayDestroy(tool.hints) ? mode : null,
    setMode,
    asks,
    isChanged,
    agree: (next) => {
      setMode(next);
      setCalled(model.workspace, serverId, tool.name, true);
    },
  };
}
