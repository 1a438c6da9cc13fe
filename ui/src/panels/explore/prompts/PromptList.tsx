import { IconMessage2 } from '@tabler/icons-react';
import { memo } from 'react';
import { useStore } from 'zustand';
import type { PromptItem, ServerId } from '../../../contract/generated';
import { initialView } from '../../../model/lists/prompts/promptViews';
import type { ListRow, ServerList } from '../../../model/lists/serverList';
import { formatCount } from '../../../model/text/format';
import { useModel } from '../../../model/workspace/context';
import { besideName } from '../../../model/lists/titles';
import { LongName } from '../../../widgets/rows/LongName';
import { ItemList } from '../list/ItemList';
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

export function PromptList({ serverId, list, selected, onOpen }: PromptListProps) {
  const { prompts, promptViews } = useModel();
  const query = useStore(promptViews, (views) => (views[serverId] ?? initialView).query);
  return (
    <ItemList
      noun="prompt"
      list={list}
      of={serverId}
      query={query}
      selected={selected}
      anchorOf={(item) => item.name}
      onSearch={(text) => {
        prompts.setInUse(serverId);
        promptViews.change(serverId, { query: text });
      }}
      onSelect={(item) => {
        prompts.setInUse(serverId);
        promptViews.change(serverId, { selection: { name: item.name, index: item.index } });
      }}
      onOpen={onOpen}
      onRefresh={() => void prompts.load(serverId, true)}
      onMore={(all) => void prompts.requestMore(serverId, all)}
      onCancel={() => void prompts.cancelLoad(serverId)}
    >
      {(item) => <PromptRow item={item} />}
    </ItemList>
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
          <i className="pb-dim">no name</i>
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
