import type { ServersStore } from '../servers/servers';
import type { ToolsStore } from '../tools/tools';
import type { UiStateStore } from './uiState';

/**
 * Lists the tools of the selected server as soon as it is ready, so that they load while its panel renders for the first
 * time.
 */
export function pullWhenReady(servers: ServersStore, ui: UiStateStore, tools: ToolsStore): void {
  servers.subscribe(({ items }) => {
    const { selectedServer, exploreTab, modes } = ui.getState();
    const connection = items?.find(({ id }) => id === selectedServer)?.connection;
    if (selectedServer === null || connection?.state !== 'ready' || connection.connectionId === null) return;
    const isLookedAt = exploreTab === 'tools' && (modes[selectedServer] ?? 'explore') === 'explore';
    if (isLookedAt) tools.ensure(selectedServer, connection.connectionId);
  });
}
