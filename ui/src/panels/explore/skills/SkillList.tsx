import { IconBook2, IconFile } from '@tabler/icons-react';
import { memo } from 'react';
import { useStore } from 'zustand';
import type { ServerId, SkillItem } from '../../../contract/generated';
import type { ListRow, ServerList } from '../../../model/lists/serverList';
import { initialSkillView } from '../../../model/lists/skills/skillViews';
import { formatCount } from '../../../model/text/format';
import { useModel } from '../../../model/workspace/context';
import { LongName } from '../../../widgets/rows/LongName';
import { ItemList } from '../list/ItemList';
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

export function SkillList({ serverId, list, selected, onRefresh, onOpen }: SkillListProps) {
  const { skills, skillViews } = useModel();
  const query = useStore(skillViews, (views) => (views[serverId] ?? initialSkillView).query);
  return (
    <ItemList
      noun="skill"
      list={list}
      of={serverId}
      query={query}
      selected={selected}
      anchorOf={(item) => item.uri}
      onSearch={(text) => {
        skills.setInUse(serverId);
        skillViews.change(serverId, { query: text });
      }}
      onSelect={(item) => {
        skills.setInUse(serverId);
        skillViews.change(serverId, { selection: { uri: item.uri, index: item.index } });
      }}
      onOpen={onOpen}
      onRefresh={onRefresh}
      onMore={(all) => void skills.requestMore(serverId, all)}
      onCancel={() => void skills.cancelLoad(serverId)}
    >
      {(item) => <SkillRow item={item} />}
    </ItemList>
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
      {name === '' ? (
        <span className={lists.rowName}>
          <i className="pb-dim">no name</i>
        </span>
      ) : (
        <LongName name={name} className={lists.rowName} />
      )}
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
