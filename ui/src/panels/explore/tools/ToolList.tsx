import { Loader } from '@mantine/core';
import { memo, useCallback, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { ServerId, ToolChange, ToolItem } from '../../../contract/generated';
import { useModel, useWorkspace } from '../../../model/workspace/context';
import { runningTools } from '../../../model/exchange/exchanges';
import { type ServerList, filterRows } from '../../../model/lists/serverList';
import { NO_DEFINITIONS } from '../../../model/tools/definitions';
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
import { ToolGlyphs } from './badges';
import { ChangedStrip } from './definitions/ChangedStrip';
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
  const at = selected === undefined ? -1 : rows.indexOf(selected);
  // A changed filter reveals the selected tool again, even at the same index: the list may have been scrolled.
  const reveal = useMemo(() => (at < 0 ? null : { index: at, query }), [at, query]);
  const again = useCallback(() => void tools.load(serverId, true), [tools, serverId]);
  const search = (text: string): void => {
    tools.setInUse(serverId);
    setQuery(text);
  };
  return (
    <section className={lists.list} aria-label="Tools" data-filter-scope>
      <div className={lists.bar}>
        <FilterInput label="Search tools" value={query} onChange={search} delayMs={0} width="100%" />
        <RefreshButton label="Refresh tools" list={list} onClick={again} />
      </div>
      <ListNotices list={list} noun="Tool list" onRefresh={again} />
      <ChangedStrip serverId={serverId} onReview={onReview} />
      <VirtualRows
        label="Tools"
        count={rows.length}
        rowSize="row"
        keyOf={(index) => rows[index]?.item.index ?? index}
        onRange={nothing}
        generation={`${serverId} ${query}`}
        selected={at < 0 ? null : at}
        anchor={at < 0 ? null : (selected?.item.name ?? null)}
        onSelect={(index) => {
          const row = rows[index];
          if (row !== undefined) onSelect(row);
        }}
        onOpen={onOpen}
        follow={false}
        reveal={reveal}
        empty={
          <NoRows
            list={list}
            noun="tool"
            query={query}
            isPart={query !== ''}
            onClear={() => setQuery('')}
            empty={appOnly > 0 ? 'All tools of this server are for its apps only.' : undefined}
          />
        }
      >
        {(index) => {
          const row = rows[index];
          if (row === undefined) return null;
          const { name } = row.item;
          return (
            <Row row={row} isRunning={running.includes(name)} change={changes.get(name)?.change ?? null} />
          );
        }}
      </VirtualRows>
      {appOnly > 0 && (
        <p className={classes.appOnly}>
          {formatCount(appOnly, 'tool')} for apps only{' '}
          <LinkButton aria-pressed={showsAppOnly} onClick={() => setShowsAppOnly(!showsAppOnly)}>
            {showsAppOnly ? 'Hide' : 'Show'}
          </LinkButton>
        </p>
      )}
      <ListFoot list={list} noun="tool" matching={rows.length === list.rows.length ? null : rows.length} />
    </section>
  );
}

/** What a row has no room for. */
function tipOf(name: string, description: string | null): string | undefined {
  const parts = [name.length > 20 ? name.slice(0, MAX_TIP) : '', description ?? ''];
  return parts.filter((part) => part !== '').join('\n') || undefined;
}

interface RowProps {
  row: ToolRow;
  isRunning: boolean;
  change: ToolChange | null;
}

/** Rendered again only when it shows another tool: a key typed in the search leaves many rows unchanged. */
const Row = memo(function Row({ row, isRunning, change }: RowProps) {
  const { item } = row;
  return (
    <div className={classes.row} data-tip={tipOf(item.name, item.description)} data-tip-side="right">
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
