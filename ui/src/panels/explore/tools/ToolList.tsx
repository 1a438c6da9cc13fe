import { Loader } from '@mantine/core';
import { type KeyboardEvent, memo, useCallback, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { ServerId, ToolChange, ToolItem } from '../../../contract/generated';
import { useModel, useUi, useWorkspace } from '../../../model/workspace/context';
import { runningTools } from '../../../model/exchange/exchanges';
import { type ServerList, filterRows } from '../../../model/lists/serverList';
import { NO_DEFINITIONS } from '../../../model/tools/definitions';
import { parentOf } from '../../../model/lists/resources/resourceTree';
import { type ToolLine, toolLines } from '../../../model/tools/toolGroups';
import { type ToolRow, isAppOnly } from '../../../model/tools/tools';
import { formatCount } from '../../../model/text/format';
import { besideName } from '../../../model/lists/titles';
import { FilterInput } from '../../../widgets/controls/FilterInput';
import { LinkButton } from '../../../widgets/links/LinkButton';
import { LongName } from '../../../widgets/rows/LongName';
import { VirtualRows } from '../../../widgets/rows/VirtualRows';
import { ListFoot } from '../list/ListFoot';
import { ListNotices } from '../list/ListNotices';
import { NoRows } from '../list/NoRows';
import { RefreshButton } from '../list/RefreshButton';
import lists from '../list/list.module.css';
import { onTreeKey } from '../resources/treeKeys';
import { ToolGlyphs } from './badges';
import { ChangedStrip } from './definitions/ChangedStrip';
import { GroupRow, GroupingMenu } from './ToolGrouping';
import classes from './tools.module.css';

interface ToolListProps {
  serverId: ServerId;
  list: ServerList<ToolItem>;
  selected: ToolRow | undefined;
  onSelect: (row: ToolRow) => void;
  /** Enter: moves the focus to the arguments. */
  onOpen: () => void;
  /** Shows what changed since the tools were accepted. */
  onReview: () => void;
}

/** The longest name in a tip, in characters. */
const MAX_TIP = 1_000;
const nothing = (): void => {};
const NONE: readonly never[] = [];

export function ToolList({ serverId, list, selected, onSelect, onOpen, onReview }: ToolListProps) {
  const { tools, exchanges, workspace, definitions } = useModel();
  const changes = useStore(definitions, (all) => (all[serverId] ?? NO_DEFINITIONS).byName);
  const query = useWorkspace(({ toolQueries }) => toolQueries[serverId] ?? '');
  const setQuery = (text: string): void =>
    workspace.setState(({ toolQueries }) => ({ toolQueries: { ...toolQueries, [serverId]: text } }));
  // Subscribed once for the list, not in every row: rows are mounted and unmounted with each key typed.
  const running = useStore(
    exchanges,
    useShallow((state) => runningTools(state, serverId)),
  );
  const [showsAppOnly, setShowsAppOnly] = useState(false);
  const listed = useMemo(() => list.rows.filter(({ item }) => !isAppOnly(item)), [list.rows]);
  const appOnly = list.rows.length - listed.length;
  const offered = showsAppOnly ? list.rows : listed;
  const rows = useMemo(() => filterRows(offered, query), [offered, query]);
  const { lines, at, grouping, choose, toggle } = useLines(serverId, rows, { query, selected, onSelect });
  // A changed filter reveals the selected tool again, even at the same index: the list may have been scrolled.
  const reveal = useMemo(() => (at < 0 ? null : { index: at, query }), [at, query]);
  const again = useCallback(() => void tools.load(serverId, true), [tools, serverId]);
  const cancel = (): void => void tools.cancelLoad(serverId);
  const search = (text: string): void => {
    tools.setInUse(serverId);
    setQuery(text);
  };
  const open = (index: number): void => {
    const line = lines[index];
    if (line?.type === 'folder') toggle(line.key);
    else onOpen();
  };
  return (
    <section className={lists.list} aria-label="Tools" data-filter-scope>
      <div className={lists.bar}>
        <FilterInput label="Search tools" value={query} onChange={search} delayMs={0} width="100%" />
        <GroupingMenu />
        <RefreshButton label="Refresh tools" list={list} onClick={again} />
      </div>
      <ListNotices list={list} noun="Tool list" onRefresh={again} />
      <ChangedStrip serverId={serverId} onReview={onReview} />
      <div
        className={lists.rows}
        role="presentation"
        onKeyDown={(event: KeyboardEvent) => {
          if (grouping !== 'none') onTreeKey(event, { lines, at, onSelect: choose, onToggle: toggle });
        }}
      >
        <VirtualRows
          label="Tools"
          count={lines.length}
          rowSize="row"
          keyOf={(index) => keyOf(lines[index]) ?? index}
          onRange={nothing}
          generation={`${serverId} ${grouping} ${query}`}
          selected={at < 0 ? null : at}
          anchor={anchorOf(lines[at])}
          onSelect={choose}
          onOpen={open}
          follow={false}
          reveal={reveal}
          empty={
            <NoRows
              list={list}
              noun="tool"
              query={query}
              isPart={query !== ''}
              onClear={() => setQuery('')}
              onCancel={cancel}
              empty={appOnly > 0 ? 'All tools of this server are for its apps only.' : undefined}
            />
          }
        >
          {(index) => {
            const line = lines[index];
            if (line === undefined) return null;
            if (line.type === 'folder')
              return <GroupRow line={line} grouping={grouping} onToggle={() => toggle(line.key)} />;
            const { name } = line.row.item;
            return (
              <Row
                row={line.row}
                isGrouped={line.depth > 0}
                isRunning={running.includes(name)}
                change={changes.get(name)?.change ?? null}
              />
            );
          }}
        </VirtualRows>
      </div>
      {appOnly > 0 && (
        <p className={classes.appOnly}>
          {formatCount(appOnly, 'tool')} for apps only{' '}
          <LinkButton aria-pressed={showsAppOnly} onClick={() => setShowsAppOnly(!showsAppOnly)}>
            {showsAppOnly ? 'Hide' : 'Show'}
          </LinkButton>
        </p>
      )}
      <ListFoot
        list={list}
        noun="tool"
        matching={rows.length === list.rows.length ? null : rows.length}
        onMore={(all) => void tools.requestMore(serverId, all)}
        onCancel={cancel}
      />
    </section>
  );
}

interface Choice {
  query: string;
  selected: ToolRow | undefined;
  onSelect: (row: ToolRow) => void;
}

/** The lines of the list, in their groups unless tools are searched: what is found has an order of its own. */
function useLines(serverId: ServerId, rows: ToolRow[], { query, selected, onSelect }: Choice) {
  const { workspace } = useModel();
  const chosen = useUi(({ toolGrouping }) => toolGrouping);
  const grouping = query === '' ? chosen : 'none';
  const closed = useWorkspace(({ closedToolGroups }) => closedToolGroups[serverId] ?? NONE);
  const lines = useMemo(() => toolLines(rows, grouping, closed), [rows, grouping, closed]);
  /** The heading that the keys are for, beside the tool that was selected then and is still shown. */
  const [heading, setHeading] = useState<{ key: string; beside: ToolRow | undefined } | null>(null);
  const key = heading?.beside === selected ? heading?.key : undefined;
  const at = useMemo(() => {
    const headingAt = lines.findIndex((line) => line.type === 'folder' && line.key === key);
    return headingAt >= 0 ? headingAt : lineOf(selected, lines, () => toolLines(rows, grouping, NONE));
  }, [lines, key, selected, rows, grouping]);
  const choose = (index: number): void => {
    const line = lines[index];
    if (line === undefined) return;
    setHeading(line.type === 'folder' ? { key: line.key, beside: selected } : null);
    if (line.type === 'tool') onSelect(line.row);
  };
  const toggle = (group: string): void =>
    workspace.setState(({ closedToolGroups }) => ({
      closedToolGroups: {
        ...closedToolGroups,
        [serverId]: closed.includes(group) ? closed.filter((each) => each !== group) : [...closed, group],
      },
    }));
  return { lines, at, grouping, choose, toggle };
}

/** The line of a tool; if its group is closed, that of the group, which is among those of `allOf`; -1 if it is in none. */
function lineOf(tool: ToolRow | undefined, lines: readonly ToolLine[], allOf: () => ToolLine[]): number {
  const is = (line: ToolLine): boolean => line.type === 'tool' && line.row === tool;
  const at = lines.findIndex(is);
  if (at >= 0) return at;
  const all = allOf();
  const group = all[parentOf(all, all.findIndex(is))];
  return group === undefined ? -1 : lines.findIndex((line) => keyOf(line) === keyOf(group));
}

function keyOf(line: ToolLine | undefined): string | number | undefined {
  return line?.type === 'folder' ? line.key : line?.row.item.index;
}

/** The name of what is selected. */
function anchorOf(line: ToolLine | undefined): string | null {
  if (line === undefined) return null;
  return line.type === 'folder' ? line.key : line.row.item.name;
}

/** What a row has no room for. */
function tipOf(name: string, description: string | null): string | undefined {
  const parts = [name.length > 20 ? name.slice(0, MAX_TIP) : '', description ?? ''];
  return parts.filter((part) => part !== '').join('\n') || undefined;
}

interface RowProps {
  row: ToolRow;
  isGrouped: boolean;
  isRunning: boolean;
  change: ToolChange | null;
}

/** Rendered again only when it shows another tool: a key typed in the search leaves many rows unchanged. */
const Row = memo(function Row({ row, isGrouped, isRunning, change }: RowProps) {
  const { item } = row;
  return (
    <div
      className={isGrouped ? `${classes.row} ${classes.grouped}` : classes.row}
      data-tip={tipOf(item.name, item.description)}
      data-tip-side="right"
    >
      {item.icon !== null && <img src={item.icon} alt="" className={classes.rowIcon} />}
      {item.name === '' ? (
        <i className={classes.nameless}>no name</i>
      ) : (
        <LongName name={item.name} className={classes.rowName} />
      )}
      <span className={classes.rowMore}>{besideName(item)}</span>
      {change !== null && <span className={classes.changed}>{change === 'added' ? 'new' : 'changed'}</span>}
      {isRunning && <Loader size={12} role="img" aria-label="Running" />}
      <ToolGlyphs item={item} />
    </div>
  );
});
