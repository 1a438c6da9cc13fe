import type { ToolItem } from '../../contract/generated';
import type { ListRow, ServerListStore } from '../lists/serverList';

export type ToolRow = ListRow<ToolItem>;

/** The app that shows the results of a tool. Only `ui://` URIs name one. */
export function appUri({ app }: ToolItem): string | null {
  const uri = app?.resourceUri ?? null;
  return uri?.startsWith('ui://') === true ? uri : null;
}

/** Whether only the apps of its server may call a tool: models are not offered it (MCP Apps, “Visibility”). */
export function isAppOnly({ app }: ToolItem): boolean {
  return app !== null && !app.forModels;
}
export type ToolsStore = ServerListStore<ToolItem>;
