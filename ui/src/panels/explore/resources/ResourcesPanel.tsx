import { useEffect, useMemo, useRef } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { useStore } from 'zustand';
import type { ResourceItem, ResourceTemplateItem, ServerId } from '../../../contract/generated';
import { useModel, useServerPart } from '../../../model/workspace/context';
import { emptyList } from '../../../model/lists/serverList';
import { initialView } from '../../../model/lists/resources/resourceViews';
import { useLayout } from '../../../model/workspace/useLayout';
import { NothingSelected } from '../list/NothingSelected';
import { useListRoom } from '../../../model/workspace/useListRoom';
import { ResourceList } from './ResourceList';
import { ResourcePane } from './ResourcePane';
import { FIRST_VARIABLE, TemplatePane } from './TemplatePane';
import panes from '../list/panes.module.css';

const PANELS = ['list', 'resource'];
const NO_RESOURCES = emptyList<ResourceItem>();
const NO_TEMPLATES = emptyList<ResourceTemplateItem>();

/** The resources and templates of one server: the list, and the selected one with what was read of it. */
export function ResourcesPanel({ serverId }: { serverId: ServerId }) {
  const { resources, resourceTemplates, resourceViews } = useModel();
  const list = useStore(resources, (lists) => lists[serverId] ?? NO_RESOURCES);
  const templates = useStore(resourceTemplates, (lists) => lists[serverId] ?? NO_TEMPLATES);
  const shown = useStore(resourceViews, (views) => (views[serverId] ?? initialView).shown);
  const connectionId = useServerPart(serverId, (server) => server?.connection.connectionId ?? null);
  const ready = useServerPart(serverId, (server) => server?.connection.state === 'ready');
  const pane = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!ready || connectionId === null) return;
    resources.ensure(serverId, connectionId);
    resourceTemplates.ensure(serverId, connectionId);
  }, [resources, resourceTemplates, serverId, ready, connectionId]);

  const item = useMemo(() => {
    if (shown?.type !== 'resource') return undefined;
    const same = list.rows[shown.index]?.item;
    if (same?.uri === shown.uri) return same;
    return list.rows.find((row) => row.item.uri === shown.uri)?.item;
  }, [list.rows, shown]);
  const template = useMemo(() => {
    if (shown?.type !== 'template') return undefined;
    const same = templates.rows[shown.index]?.item;
    if (same?.uriTemplate === shown.uriTemplate) return same;
    return templates.rows.find((row) => row.item.uriTemplate === shown.uriTemplate)?.item;
  }, [templates.rows, shown]);

  const hasListRoom = useListRoom();
  const layout = useLayout('resources', PANELS);
  return (
    <Group orientation="horizontal" className={panes.fill} data-run-scope {...layout}>
      {(shown === null || hasListRoom) && (
        <>
          <Panel id="list" defaultSize="30%" minSize="176px" groupResizeBehavior="preserve-pixel-size">
            <ResourceList
              serverId={serverId}
              list={list}
              templates={templates}
              onOpen={() => pane.current?.querySelector<HTMLElement>('[data-primary]')?.click()}
              onEdit={() => pane.current?.querySelector<HTMLElement>(FIRST_VARIABLE)?.focus()}
            />
          </Panel>
          <Separator className="pb-separator" />
        </>
      )}
      <Panel id="resource" minSize="300px">
        <div ref={pane} className={panes.fill}>
          {shown?.type === 'resource' ? (
            <ResourcePane
              key={`${serverId} ${shown.uri}`}
              serverId={serverId}
              uri={shown.uri}
              item={item}
              isListed={list.known}
            />
          ) : shown?.type === 'template' ? (
            <TemplatePane
              key={`${serverId} ${shown.uriTemplate}`}
              serverId={serverId}
              uriTemplate={shown.uriTemplate}
              item={template}
            />
          ) : (
            <NothingSelected
              list={list.rows.length > 0 ? list : { ...list, rows: templates.rows }}
              noun="resource"
              hint="Select a resource or a template to read it."
              onRefresh={() => {
                void resources.load(serverId, true);
                void resourceTemplates.load(serverId, true);
              }}
            />
          )}
        </div>
      </Panel>
    </Group>
  );
}
