import type { ServerId, ToolItem } from '../../contract/generated';
import type { UiStateStore } from '../workspace/uiState';
import type { WorkspaceStore } from '../workspace/workspace';

/**
 * Whether the user is asked before a tool is called. Absent hints have the defaults of the specification: `readOnlyHint`
 * false, `destructiveHint` true (schema, `ToolAnnotations`).
 */

type Hints = ToolItem['hints'];
type Named = Pick<ToolItem, 'name' | 'hints'>;

/** Whether a tool may delete or overwrite something, as far as its server says. */
export function mayDestroy(hints: Hints): boolean {
  return hints.readOnly !== true && hints.destructive !== false;
}

/**
 * When the user is asked: before each call, once until Patchbay restarts (a tool that only does not say what it does), or
 * not any more for the tool or for all tools of its server.
 */
export type AskMode = 'each' | 'once' | 'neverTool' | 'neverServer';

/** How a tool is asked for while the user has not chosen anything. */
export function defaultMode(hints: Hints): 'each' | 'once' {
  return hints.destructive === true ? 'each' : 'once';
}

/** What the user has chosen, of the state that is kept and of that of this window. */
export interface ConsentState {
  /** Servers whose tools are called without asking. */
  unconfirmedServers: readonly string[];
  /** Tools that are called without asking, by server. */
  unconfirmedTools: Readonly<Record<string, readonly string[]>>;
}

export function askMode(state: ConsentState, serverId: ServerId, { name, hints }: Named): AskMode {
  if (state.unconfirmedServers.includes(serverId)) return 'neverServer';
  if (state.unconfirmedTools[serverId]?.includes(name) === true) return 'neverTool';
  return defaultMode(hints);
}

/** Whether to ask before this call. */
export function asksBefore(
  state: ConsentState,
  /** The tools that were called in this window after a question. */
  called: readonly string[] | undefined,
  serverId: ServerId,
  tool: Named,
  /** Whether its definition changed, and was accepted without a review: what the user trusted is no more. */
  isChanged: boolean,
): boolean {
  if (isChanged) return true;
  if (!mayDestroy(tool.hints)) return false;
  const mode = askMode(state, serverId, tool);
  return mode === 'each' || (mode === 'once' && called?.includes(tool.name) !== true);
}

/** Sets when the user is asked for a tool. `each` and `once` are the same choice: what `defaultMode` says. */
export function setAskMode(
  { ui, workspace }: { ui: UiStateStore; workspace: WorkspaceStore },
  serverId: ServerId,
  name: string,
  mode: AskMode,
): void {
  const isAsked = mode === 'each' || mode === 'once';
  ui.setState(({ unconfirmedServers, unconfirmedTools }) => {
    const servers = unconfirmedServers.filter((each) => each !== serverId);
    const names = (unconfirmedTools[serverId] ?? []).filter((each) => each !== name);
    if (mode === 'neverServer') servers.push(serverId);
    if (mode === 'neverTool') names.push(name);
    return { unconfirmedServers: servers, unconfirmedTools: { ...unconfirmedTools, [serverId]: names } };
  });
  if (isAsked) setCalled(workspace, serverId, name, false);
}

/** Remembers that a tool was called after a question, or forgets it. */
export function setCalled(
  workspace: WorkspaceStore,
  serverId: ServerId,
  name: string,
  isCalled: boolean,
): void {
  workspace.setState(({ confirmedTools }) => {
    const names = (confirmedTools[serverId] ?? []).filter((each) => each !== name);
    return { confirmedTools: { ...confirmedTools, [serverId]: isCalled ? [...names, name] : names } };
  });
}
