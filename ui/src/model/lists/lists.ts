import type {
  AppTopic,
  ListKind,
  PromptItem,
  ResourceItem,
  ResourceTemplateItem,
  SkillItem,
  ToolItem,
} from '../../contract/generated';
import type { Host } from '../../host/host';
import type { AppEvents } from '../workspace/appEvents';
import { type ListSource, type ServerListStore, createServerList } from './serverList';

/** The lists every server may offer. Another kind is another source. */
export interface Lists {
  tools: ServerListStore<ToolItem>;
  resources: ServerListStore<ResourceItem>;
  resourceTemplates: ServerListStore<ResourceTemplateItem>;
  prompts: ServerListStore<PromptItem>;
  skills: ServerListStore<SkillItem>;
}

export function createLists(host: Host, events: AppEvents): Lists {
  const create = <T extends Described>(
    kind: ListKind,
    topic: AppTopic | null,
    pull: ListSource<T>['pull'],
  ): ServerListStore<T> =>
    createServerList<T>(
      {
        topic,
        pull,
        requestMore: (serverId, all) => host.call('list_more', { serverId, list: kind, all }),
        cancel: (serverId) => host.call('list_cancel', { serverId, list: kind }),
        idOf: ({ index }) => index,
        textOf,
      },
      events,
    );
  return {
    tools: create('tools', 'tools', (params) => host.call('tool_list', params)),
    resources: create('resources', 'resources', (params) => host.call('resource_list', params)),
    resourceTemplates: create('resourceTemplates', 'resourceTemplates', (params) =>
      host.call('resource_template_list', params),
    ),
    prompts: create('prompts', 'prompts', (params) => host.call('prompt_list', params)),
    // No notification announces that skills have changed.
    skills: create('skills', null, (params) => host.call('skill_list', params)),
  };
}

interface Described {
  index: number;
  name: string;
  title?: string | null;
  description: string | null;
  uri?: string;
  uriTemplate?: string;
}

/** The text by which an item of a list is found. */
export function textOf({ name, title, description, uri, uriTemplate }: Described): string {
  return [name, title, uri ?? uriTemplate, description].map((part) => part ?? '').join('\n');
}
