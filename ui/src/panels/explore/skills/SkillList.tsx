import { IconBook2, IconFile, IconRefresh } from '@tabler/icons-react';
import { memo, useMemo } from 'react';
import { useStore } from 'zustand';
import type { ServerId, SkillItem } from '../../../contract/generated';
import { type ListRow, type ServerList, filterRows } from '../../../model/lists/serverList';
import { initialSkillView } from '../../../model/lists/skills/skillViews';
import { formatCount } from '../../../model/text/format';
import { useModel } from '../../../model/workspace/context';
import { FilterInput } from '../../../widgets/controls/FilterInput';
import { IconButton } from '../../../widgets/controls/IconButton';
import { VirtualRows } from '../../../widgets/rows/VirtualRows';
import { ListFoot } from '../list/ListFoot';
import { ListNotices } from '../list/ListNotices';
import { NoRows } from '../list/NoRows';
import lists from '../list/list.module.css';
import classes from './skills.module.css';

interface SkillListProps {
  serverId: ServerId;
  /** Listed skills, and those found among resources. */
  list: ServerList<SkillItem>;
  selected: ListRow<SkillItem> | undefined;
  onRefresh: () => void;
  /** Enter: reads the selected file of the skill. */
  onOpen: () => void;
}

/** The longest text of a row, in characters. */
const MAX_LABEL = 300;
const MAX_TIP = 1_000;
const nothing = (): void => {};

export function SkillList({ serverId, list, selected, onRefresh, onOpen }: SkillListProps) {
  const { skills, skillViews } = useModel();
  const query = useStore(skillViews, (views) => (views[serverId] ?? initialSkillView).query);
  const rows = useMemo(() => filterRows(list.rows, query), [list.rows, query]);
  const at = selected === undefined ? -1 : rows.indexOf(selected);
  const reveal = useMemo(() => (at < 0 ? null : { index: at, query }), [at, query]);
  const search = (text: string): void => {
    skills.setInUse(serverId);
    skillViews.change(serverId, { query: text });
  };
  return (
    <section className={lists.list} aria-label="Skills" data-filter-scope>
      <div className={lists.bar}>
        <FilterInput label="Search skills" value={query} onChange={search} delayMs={0} width="100%" />
        <IconButton
          icon={IconRefresh}
          label="Refresh skills"
          loading={list.loading && list.known}
          onClick={onRefresh}
        />
      </div>
      <ListNotices list={list} noun="Skill list" onRefresh={onRefresh} />
      <VirtualRows
        label="Skills"
        count={rows.length}
        rowSize="row"
        keyOf={(index) => rows[index]?.item.index ?? index}
        onRange={nothing}
        generation={`${serverId} ${query}`}
        selected={at < 0 ? null : at}
        anchor={at < 0 ? null : (selected?.item.uri ?? null)}
        onSelect={(index) => {
          const item = rows[index]?.item;
          if (item === undefined) return;
          skills.setInUse(serverId);
          skillViews.change(serverId, { selection: { uri: item.uri, index: item.index } });
        }}
        onOpen={onOpen}
        follow={false}
        reveal={reveal}
        empty={
          <NoRows list={list} noun="skill" query={query} isPart={query !== ''} onClear={() => search('')} />
        }
      >
        {(index) => {
          const item = rows[index]?.item;
          return item === undefined ? null : <SkillRow item={item} />;
        }}
      </VirtualRows>
      <ListFoot
        list={list}
        noun="skill"
        matching={query === '' ? null : rows.length}
        onMore={(all) => void skills.requestMore(serverId, all)}
      />
    </section>
  );
}

/** Rendered again only when it shows another skill. */
const SkillRow = memo(function SkillRow({ item }: { item: SkillItem }) {
  const { name, uri, description, fileCount, index } = item;
  const Glyph = index < 0 ? IconFile : IconBook2;
  return (
    <div
      className={lists.row}
      data-tip={[uri, description].filter(Boolean).join('\n').slice(0, MAX_TIP)}
      data-tip-side="right"
    >
      <Glyph size={16} aria-hidden />
      <span className={lists.rowName}>
        {name === '' ? <i className={classes.dim}>no name</i> : name.slice(0, MAX_LABEL)}
      </span>
      <span className={lists.rowMore}>{(description ?? '').split('\n')[0]?.slice(0, MAX_LABEL)}</span>
      {fileCount !== null && (
        <span
          className={`${classes.count} pb-num`}
          aria-label={formatCount(fileCount, 'file')}
          data-tip={formatCount(fileCount, 'file')}
          role="img"
        >
          {fileCount}
        </span>
      )}
    </div>
  );
});
