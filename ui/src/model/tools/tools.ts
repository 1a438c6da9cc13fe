import type { ToolItem } from '../../contract/generated';
import type { ListRow, ServerListStore } from '../lists/serverList';

export type ToolRow = ListRow<ToolItem>;

/** Whether only the apps of its server may call a tool: models are not offered it (MCP Apps, “Visibility”). */
export function isAppOnly({ app }: ToolItem): boolean {
  return app !== null && !app.forModels;
}
export type ToolsStore = ServerListStore<ToolItem>;
