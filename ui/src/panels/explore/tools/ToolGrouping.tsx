import { Menu } from '@mantine/core';
import { IconCategory, IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { memo } from 'react';
import type { ToolLine } from '../../../model/tools/toolGroups';
import { useModel, useUi } from '../../../model/workspace/context';
import { TOOL_GROUPINGS, type ToolGrouping } from '../../../model/workspace/uiState';
import { formatCount } from '../../../model/text/format';
import { IconButton } from '../../../widgets/controls/IconButton';
import classes from './tools.module.css';

const WORDS: Record<ToolGrouping, string> = {
  none: 'Not grouped',
  name: 'By words of the name',
  effect: 'By declared effect',
};

/** How the tools of all servers are grouped. Not rendered with each key typed in the search. */
export const GroupingMenu = memo(function GroupingMenu() {
  const { ui } = useModel();
  const grouping = useUi(({ toolGrouping }) => toolGrouping);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton icon={IconCategory} label="Group tools" pressed={grouping !== 'none'} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={grouping}
          onChange={(value) => {
            const toolGrouping = TOOL_GROUPINGS.find((known) => known === value);
            if (toolGrouping !== undefined) ui.setState({ toolGrouping });
          }}
        >
          {TOOL_GROUPINGS.map((value) => (
            <Menu.RadioItem key={value} value={value} closeMenuOnClick>
              {WORDS[value]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
});

interface GroupRowProps {
  line: Extract<ToolLine, { type: 'folder' }>;
  grouping: ToolGrouping;
  onToggle: () => void;
}

/** The heading of a group of tools. */
export function GroupRow({ line, grouping, onToggle }: GroupRowProps) {
  const Chevron = line.isOpen ? IconChevronDown : IconChevronRight;
  return (
    <div
      className={classes.row}
      data-tip={grouping === 'effect' ? 'Declared by the server; not verified.' : undefined}
      data-tip-side="right"
    >
      <Chevron
        size={14}
        className={classes.chevron}
        role="img"
        aria-label={line.isOpen ? 'Open group' : 'Closed group'}
        onClick={onToggle}
      />
      <span className={`${classes.groupName} pb-ellipsis`}>{line.label}</span>
      <span className={`${classes.groupCount} pb-num`}>{formatCount(line.count)}</span>
    </div>
  );
}
