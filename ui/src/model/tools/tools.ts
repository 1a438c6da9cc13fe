import type { ToolItem } from '../../contract/generated';
import type { ListRow, ServerListStore } from '../lists/serverList';

export type ToolRow = ListRow<ToolItem>;
export type ToolsStore = ServerListStore<ToolItem>;
