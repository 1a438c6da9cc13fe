import { IconAppWindow, IconBan, IconLayoutSidebarRight } from '@tabler/icons-react';
import type { ToolGetResponse, ToolItem } from '../../../contract/generated';
import { appUri } from '../../../model/tools/tools';
import { ownTitle } from '../../../model/lists/titles';
import { IconButton } from '../../../widgets/controls/IconButton';
import type { Loaded } from '../../../widgets/code/useBodyText';
import { ToolBadges } from './badges';
import { useContextColumn } from './useContextColumn';
import panes from '../list/panes.module.css';
import classes from './tools.module.css';

interface ToolHeadProps {
  item: ToolItem;
  detail: Loaded<ToolGetResponse>;
  /** Opens the app of the tool before a call; undefined if it is open or cannot be. */
  onOpenApp: (() => void) | undefined;
}

/** Name, badges and, while the definition is hidden, the description. */
export function ToolHead({ item, detail, onOpenApp }: ToolHeadProps) {
  const { isOpen: open, toggle } = useContextColumn();
  const description = detail.state === 'ready' ? detail.value.description : item.description;
  const title = ownTitle(item.name, item.title);
  return (
    <header className={classes.toolHead}>
      <div className={classes.toolTitle}>
        {item.icon !== null && <img src={item.icon} alt="" className={panes.icon} />}
        <h2 className={`${classes.toolName} pb-selectable`} data-tip={item.name.slice(0, 1_000) || undefined}>
          {item.name === '' ? 'Unnamed tool' : item.name}
        </h2>
        {title !== null && <span className={classes.toolAlias}>{title}</span>}
        <ToolBadges item={item} />
        <span className="pb-grow" />
        {onOpenApp !== undefined && appUri(item) !== null && (
          <IconButton icon={IconAppWindow} label="Open the app of this tool" onClick={onOpenApp} />
        )}
        <IconButton
          icon={IconLayoutSidebarRight}
          label={open ? 'Hide definition' : 'Show definition'}
          pressed={open}
          onClick={toggle}
        />
      </div>
      {item.excluded !== null && (
        <p className={classes.excluded} role="note">
          <IconBan size={14} aria-hidden />
          <span>The specification forbids calling this tool: {item.excluded}</span>
        </p>
      )}
      {description !== null && !open && <p className={classes.toolDescription}>{description}</p>}
    </header>
  );
}
