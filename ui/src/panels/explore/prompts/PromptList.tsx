import { IconMessage2, IconRefresh } from '@tabler/icons-react';
import { memo, useMemo } from 'react';
import { useStore } from 'zustand';
import type { PromptItem, ServerId } from '../../../contract/generated';
import { initialView } from '../../../model/lists/prompts/promptViews';
import { type ListRow, type ServerList, filterRows } from '../../../model/lists/serverList';
import { formatCount } from '../../../model/text/format';
import { useModel } from '../../../model/workspace/context';
import { besideName } from '../../../model/lists/titles';
import { FilterInput } from '../../../widgets/controls/FilterInput';
import { IconButton } from '../../../widgets/controls/IconButton';
import { LongName } from '../../../widgets/rows/LongName';
import { VirtualRows } from '../../../widgets/rows/VirtualRows';
import { ListFoot } from '../list/ListFoot';
import { ListNotices } from '../list/ListNotices';
import { NoRows } from '../list/NoRows';
import lists from '../list/list.module.css';
import classes from './prompts.module.css';

interface PromptListProps {
  serverId: ServerId;
  list: ServerList<PromptItem>;
  selected: ListRow<PromptItem> | undefined;
  /** Enter: moves the focus to the arguments. */
  onOpen: () => void;
}

/** The longest text of a row, in characters: names may have thousands. */
const MAX_LABEL = 300;
const MAX_TIP = 1_000;
const nothing = (): void => {};

export function PromptList({ serverId, list, selected, onOpen }: PromptListProps) {
  const { prompts, promptViews } = useModel();
  const query = useStore(promptViews, (views) => (views[serverId] ?? initialView).query);
  const rows = useMemo(() => filterRows(list.rows, query), [list.rows, query]);
  const at = selected === undefined ? -1 : rows.indexOf(selected);
  const reveal = useMemo(() => (at < 0 ? null : { index: at, query }), [at, query]);
  const again = (): void => void prompts.load(serverId, true);
  const search = (text: string): void => {
    prompts.setInUse(serverId);
    promptViews.change(serverId, { query: text });
  };
  return (
    <section className={lists.list} aria-label="Prompts" data-filter-scope>
      <div className={lists.bar}>
        <FilterInput label="Search prompts" value={query} onChange={search} delayMs={0} width="100%" />
        <IconButton
          icon={IconRefresh}
          label="Refresh prompts"
          loading={list.loading && list.known}
          onClick={again}
        />
      </div>
      <ListNotices list={list} noun="Prompt list" onRefresh={again} />
      <VirtualRows
        label="Prompts"
        count={rows.length}
        rowSize="row"
        keyOf={(index) => rows[index]?.item.index ?? index}
        onRange={nothing}
        generation={`${serverId} ${query}`}
        selected={at < 0 ? null : at}
        anchor={at < 0 ? null : (selected?.item.name ?? null)}
        onSelect={(index) => {
          const item = rows[index]?.item;
          if (item === undefined) return;
          prompts.setInUse(serverId);
          promptViews.change(serverId, { selection: { name: item.name, index: item.index } });
        }}
        onOpen={onOpen}
        follow={false}
        reveal={reveal}
        empty={
          <NoRows list={list} noun="prompt" query={query} isPart={query !== ''} onClear={() => search('')} />
        }
      >
        {(index) => {
          const item = rows[index]?.item;
          return item === undefined ? null : <PromptRow item={item} />;
        }}
      </VirtualRows>
      <ListFoot
        list={list}
        noun="prompt"
        matching={query === '' ? null : rows.length}
        onMore={(all) => void prompts.requestMore(serverId, all)}
      />
    </section>
  );
}

/** Rendered again only when it shows another prompt. */
const PromptRow = memo(function PromptRow({ item }: { item: PromptItem }) {
  const { name, description, icon } = item;
  const count = item.arguments.length;
  const more = besideName(item);
  return (
    <div
      className={lists.row}
      data-tip={[name, description].filter(Boolean).join('\n').slice(0, MAX_TIP)}
      data-tip-side="right"
    >
      {icon === null ? <IconMessage2 size={16} aria-hidden /> : <img src={icon} alt="" />}
      {name === '' ? (
        <span className={lists.rowName}>
          <i className={classes.dim}>no name</i>
        </span>
      ) : (
        <LongName name={name} className={lists.rowName} />
      )}
      <span className={lists.rowMore}>{more.slice(0, MAX_LABEL)}</span>
      {count > 0 && (
        <span
          className={`${classes.rowCount} pb-num`}
          aria-label={formatCount(count, 'argument')}
          data-tip={formatCount(count, 'argument')}
          role="img"
        >
          {count}
        </span>
      )}
    </div>
  );
});
