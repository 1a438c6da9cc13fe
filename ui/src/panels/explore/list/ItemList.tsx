import { IconRefresh } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { type ListRow, type ServerList, filterRows } from '../../../model/lists/serverList';
import { FilterInput } from '../../../widgets/controls/FilterInput';
import { IconButton } from '../../../widgets/controls/IconButton';
import { VirtualRows } from '../../../widgets/rows/VirtualRows';
import { ListFoot } from './ListFoot';
import { ListNotices } from './ListNotices';
import { NoRows } from './NoRows';
import lists from './list.module.css';

interface ItemListProps<T> {
  /** `prompt`, in the singular. */
  noun: string;
  list: ServerList<T>;
  /** Rows of another server begin at the top. */
  of: string;
  query: string;
  selected: ListRow<T> | undefined;
  /** What names the selected item when the list is pulled again. */
  anchorOf: (item: T) => string;
  onSearch: (query: string) => void;
  onSelect: (item: T) => void;
  /** Enter. */
  onOpen: () => void;
  onRefresh: () => void;
  /** Requests the next page, or all that follow. */
  onMore: (all: boolean) => void;
  /** Cancels the request for the list that is in progress. */
  onCancel: () => void;
  children: (item: T) => ReactNode;
}

const nothing = (): void => {};

/** A flat list of a server with a search, what is to be said of the list, and its further pages. */
export function ItemList<T extends { index: number }>(props: ItemListProps<T>) {
  const { noun, list, query, selected, onSearch, onRefresh } = props;
  const rows = useMemo(() => filterRows(list.rows, query), [list.rows, query]);
  const at = selected === undefined ? -1 : rows.indexOf(selected);
  const reveal = useMemo(() => (at < 0 ? null : { index: at, query }), [at, query]);
  const title = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;
  const isFiltered = query !== '';
  return (
    <section className={lists.list} aria-label={`${title}s`} data-filter-scope>
      <div className={lists.bar}>
        <FilterInput label={`Search ${noun}s`} value={query} onChange={onSearch} delayMs={0} width="100%" />
        <IconButton
          icon={IconRefresh}
          label={`Refresh ${noun}s`}
          loading={list.loading && list.known}
          onClick={onRefresh}
        />
      </div>
      <ListNotices list={list} noun={`${title} list`} onRefresh={onRefresh} />
      <VirtualRows
        label={`${title}s`}
        count={rows.length}
        rowSize="row"
        keyOf={(index) => rows[index]?.item.index ?? index}
        onRange={nothing}
        generation={`${props.of} ${query}`}
        selected={at < 0 ? null : at}
        anchor={at < 0 || selected === undefined ? null : props.anchorOf(selected.item)}
        onSelect={(index) => {
          const item = rows[index]?.item;
          if (item !== undefined) props.onSelect(item);
        }}
        onOpen={props.onOpen}
        follow={false}
        reveal={reveal}
        empty={
          <NoRows
            list={list}
            noun={noun}
            query={query}
            isPart={isFiltered}
            onClear={() => onSearch('')}
            onCancel={props.onCancel}
          />
        }
      >
        {(index) => {
          const item = rows[index]?.item;
          return item === undefined ? null : props.children(item);
        }}
      </VirtualRows>
      <ListFoot
        list={list}
        noun={noun}
        matching={isFiltered ? rows.length : null}
        onMore={props.onMore}
        onCancel={props.onCancel}
      />
    </section>
  );
}
