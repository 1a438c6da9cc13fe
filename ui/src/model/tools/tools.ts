import type { ToolItem } from '../../contract/generated';
import type { Host } from '../../host/host';
import { type ListRow, MAX_PAGES, type ServerListStore, createServerList } from '../lists/serverList';
import type { AppEvents } from '../workspace/appEvents';

export type ToolRow = ListRow<ToolItem>;
export type ToolsStore = ServerListStore<ToolItem>;

/** The tools of all servers. */
export function createTools(host: Host, events: AppEvents): ToolsStore {
  return createServerList<ToolItem>(
    {
      pull: (params) => host.call('tool_list', params),
      changed: 'toolsChanged',
      idOf: ({ index }) => index,
      textOf: ({ name, title, description }) => `${name}\n${title ?? ''}\n${description ?? ''}`,
      pagesAtOnce: MAX_PAGES,
    },
    events,
  );
}
