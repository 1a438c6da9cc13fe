import { type KeyboardEvent, memo, useCallback, useMemo } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { ResourceItem, ResourceTemplateItem, ServerId } from '../../../contract/generated';
import { type ListRow, type ServerList, filterRows, isCounted } from '../../../model/lists/serverList';
import { changedUris, newestUpdates } from '../../../model/lists/resources/resourceChanges';
import { type ResourceFilter, applyFilter, isFiltered } from '../../../model/lists/resources/resourceFilter';
import { type TreeRow, buildTree, visibleRows } from '../../../model/lists/resources/resourceTree';
import {
  type ResourceSelection,
  type ResourceView,
  initialView,
} from '../../../model/lists/resources/resourceViews';
import { noSubscriptions, toldUris } from '../../../model/lists/subscriptions/subscriptions';
import { formatCount } from '../../../model/text/format';
import { useModel } from '../../../model/workspace/context';
import { FilterInput } from '../../../widgets/controls/FilterInput';
import { Segments } from '../../../widgets/controls/Segments';
import { VirtualRows } from '../../../widgets/rows/VirtualRows';
import { FilterMenu } from './FilterMenu';
import { ListFoot } from '../list/ListFoot';
import { ListNotices } from '../list/ListNotices';
import { NoRows } from '../list/NoRows';
import { RefreshButton } from '../list/RefreshButton';
import { FolderRow, ResourceRowView, TemplateRow } from './rows';
import { onTreeKey } from './treeKeys';
import classes from '../list/list.module.css';

interface ResourceListProps {
  serverId: ServerId;
  list: ServerList<ResourceItem>;
  templates: ServerList<ResourceTemplateItem>;
  /** Enter on a resource: reads it. */
  onOpen: () => void;
  /** Enter on a template: moves the focus to its first variable. */
  onEdit: () => void;
}

type Line = TreeRow | { type: 'template'; depth: 0; row: ListRow<ResourceTemplateItem> };

const nothing = (): void => {};

export function ResourceList({ serverId, list, templates, onOpen, onEdit }: ResourceListProps) {
  const { resources, resourceTemplates, resourceViews, subscriptions, exchanges } = useModel();
  const view = useStore(resourceViews, (views) => views[serverId] ?? initialView);
  const { layout, query, filter, closed, selection } = view;
  const isTemplates = layout === 'templates';

  const subscribed = useStore(subscriptions, (all) => all[serverId] ?? noSubscriptions);
  const updates = useMemo(() => newestUpdates(subscribed), [subscribed]);
  const changed = useStore(
    exchanges,
    useShallow((state) => changedUris(updates, state, serverId)),
  );
  const marks = useMemo(() => {
    return {
      changed: new Set(changed),
      subscribed: new Set(subscribed.flatMap(toldUris)),
    };
  }, [changed, subscribed]);

  const found = useMemo(() => filterRows(list.rows, query), [list.rows, query]);
  const passing = useMemo(() => applyFilter(found, filter), [found, filter]);
  // Search results and sorted resources are a list: a tree would hide their order.
  const isTree = layout === 'tree' && query === '' && filter.sort === 'server';
  const tree = useMemo(() => (isTree ? buildTree(passing) : null), [isTree, passing]);
  const lines = useMemo<Line[]>(() => {
    if (isTemplates)
      return filterRows(templates.rows, query).map((row) => ({ type: 'template', depth: 0, row }));
    if (tree !== null) return visibleRows(tree, closed);
    return passing.map((row) => ({ type: 'resource', depth: 0, label: row.item.name, row }));
  }, [isTemplates, templates.rows, query, tree, closed, passing]);
  const at = useMemo(() => lineOf(lines, selection), [lines, selection]);
  const reveal = useMemo(() => (at < 0 ? null : { index: at, query, layout }), [at, query, layout]);

  const shownList = isTemplates ? templates : list;
  const noun = isTemplates ? 'template' : 'resource';
  const again = useCallback((): void => {
    void resources.load(serverId, true);
    void resourceTemplates.load(serverId, true);
  }, [resources, resourceTemplates, serverId]);
  const cancel = (): void => {
    void resources.cancelLoad(serverId);
    void resourceTemplates.cancelLoad(serverId);
  };
  const setFilter = useCallback(
    (change: ResourceFilter): void => resourceViews.change(serverId, { filter: change }),
    [resourceViews, serverId],
  );
  const setLayout = useCallback(
    (next: ResourceView['layout']): void => resourceViews.change(serverId, { layout: next }),
    [resourceViews, serverId],
  );
  const begin = (): void => (isTemplates ? resourceTemplates : resources).setInUse(serverId);
  const search = (text: string): void => {
    begin();
    resourceViews.change(serverId, { query: text });
  };
  const select = (index: number): void => {
    const line = lines[index];
    if (line === undefined) return;
    begin();
    resourceViews.select(serverId, selectionOf(line));
  };
  const toggle = (key: string): void => resourceViews.toggleFolder(serverId, key);
  const open = (index: number): void => {
    const line = lines[index];
    if (line?.type === 'folder') toggle(line.key);
    else if (line?.type === 'template') onEdit();
    else if (line !== undefined) onOpen();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (tree !== null) onTreeKey(event, { lines, at, onSelect: select, onToggle: toggle });
  };

  const isPart = query !== '' || (!isTemplates && isFiltered(filter));
  const matching = isTemplates ? lines.length : passing.length;
  return (
    <section className={classes.list} aria-label="Resources" data-filter-scope>
      <div className={classes.bar}>
        <FilterInput label="Search resources" value={query} onChange={search} delayMs={0} width="100%" />
        <FilterMenu filter={filter} rows={list.rows} onChange={setFilter} />
        <RefreshButton label="Refresh resources" list={shownList} onClick={again} />
      </div>
      <div className={classes.bar}>
        <Layouts
          layout={layout}
          templates={isCounted(templates) ? templates.rows.length : null}
          onChange={setLayout}
        />
      </div>
      <ListNotices
        list={shownList}
        noun={isTemplates ? 'Template list' : 'Resource list'}
        onRefresh={again}
      />
      <div className={classes.rows} onKeyDown={onKeyDown} role="presentation">
        <VirtualRows
          label={isTemplates ? 'Resource templates' : 'Resources'}
          count={lines.length}
          rowSize="row"
          keyOf={(index) => keyOf(lines[index]) ?? index}
          onRange={nothing}
          generation={`${serverId} ${layout} ${query}`}
          selected={at < 0 ? null : at}
          anchor={at < 0 ? null : anchorOf(selection)}
          onSelect={select}
          onOpen={open}
          follow={false}
          reveal={reveal}
          empty={
            <NoRows
              list={shownList}
              noun={noun}
              query={query}
              isPart={isPart}
              empty={`No ${noun}s`}
              onCancel={cancel}
              onClear={() => resourceViews.change(serverId, { query: '', filter: initialView.filter })}
            />
          }
        >
          {(index) => {
            const line = lines[index];
            if (line === undefined) return null;
            if (line.type === 'folder') return <FolderRow line={line} onToggle={() => toggle(line.key)} />;
            if (line.type === 'template') return <TemplateRow item={line.row.item} />;
            const { item } = line.row;
            return (
              <ResourceRowView
                item={item}
                label={line.label}
                depth={line.depth}
                isInTree={tree !== null}
                isChanged={marks.changed.has(item.uri)}
                isSubscribed={marks.subscribed.has(item.uri)}
              />
            );
          }}
        </VirtualRows>
      </div>
      <ListFoot
        list={shownList}
        noun={noun}
        matching={isPart ? matching : null}
        onMore={(all) => {
          void (isTemplates ? resourceTemplates : resources).requestMore(serverId, all);
        }}
        onCancel={cancel}
      />
    </section>
  );
}

interface LayoutsProps {
  layout: ResourceView['layout'];
  /** How many templates there are; null while that is not known. */
  templates: number | null;
  onChange: (layout: ResourceView['layout']) => void;
}

/** Not rendered with each key typed in the search. */
const Layouts = memo(function Layouts({ layout, templates, onChange }: LayoutsProps) {
  return (
    <Segments
      label="Show resources as"
      wide
      value={layout}
      onChange={onChange}
      segments={[
        { value: 'tree', label: 'Tree' },
        { value: 'list', label: 'List' },
        {
          value: 'templates',
          label: templates === null ? 'Templates' : `Templates ${formatCount(templates)}`,
        },
      ]}
    />
  );
});

function selectionOf(line: Line): ResourceSelection {
  switch (line.type) {
    case 'folder':
      return { type: 'folder', key: line.key };
    case 'resource':
      return { type: 'resource', uri: line.row.item.uri, index: line.row.item.index };
    case 'template':
      return { type: 'template', uriTemplate: line.row.item.uriTemplate, index: line.row.item.index };
  }
}

/** The name of what is selected. */
function anchorOf(selection: ResourceSelection | null): string | null {
  switch (selection?.type) {
    case undefined:
      return null;
    case 'folder':
      return selection.key;
    case 'resource':
      return selection.uri;
    case 'template':
      return selection.uriTemplate;
  }
}

function keyOf(line: Line | undefined): string | undefined {
  if (line === undefined) return undefined;
  return line.type === 'folder' ? line.key : `${line.type} ${line.row.item.index}`;
}

/** The line of what is selected; of equal URIs the one with the same index, otherwise the first. */
function lineOf(lines: readonly Line[], selection: ResourceSelection | null): number {
  if (selection === null) return -1;
  if (selection.type === 'folder')
    return lines.findIndex((line) => line.type === 'folder' && line.key === selection.key);
  const subject = selection.type === 'resource' ? selection.uri : selection.uriTemplate;
  let first = -1;
  for (const [index, line] of lines.entries()) {
    if (line.type === 'folder' || line.type !== selection.type || subjectOf(line) !== subject) continue;
    if (line.row.item.index === selection.index) return index;
    if (first < 0) first = index;
  }
  return first;
}

function subjectOf(line: Exclude<Line, { type: 'folder' }>): string {
  return line.type === 'resource' ? line.row.item.uri : line.row.item.uriTemplate;
}
