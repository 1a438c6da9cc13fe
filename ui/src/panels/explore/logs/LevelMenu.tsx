import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { MESSAGE_CLASSES, levelWords, levelsBelow } from '../../../model/traffic/logQuery';
import { LevelMark } from './LogRow';

interface LevelMenuProps {
  hiddenLevels: readonly string[];
  onChange: (hiddenLevels: string[]) => void;
}

/** Which levels of messages are shown: each alone, or one and all above it. */
export function LevelMenu({ hiddenLevels, onChange }: LevelMenuProps) {
  return (
    <Menu position="bottom-start" closeOnItemClick={false}>
      <Menu.Target>
        <Button
          variant={hiddenLevels.length === 0 ? 'default' : 'light'}
          size="compact-sm"
          rightSection={<IconChevronDown size={14} />}
          data-tip="Log levels shown"
        >
          {levelWords(hiddenLevels)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onChange(levelsBelow(null))}>All levels</Menu.Item>
        <Menu.Item onClick={() => onChange(levelsBelow('warning'))}>Warning and above</Menu.Item>
        <Menu.Item onClick={() => onChange(levelsBelow('error'))}>Error and above</Menu.Item>
        <Menu.Divider />
        {MESSAGE_CLASSES.map((level) => {
          const isHidden = hiddenLevels.includes(level);
          return (
            <Menu.CheckboxItem
              key={level}
              checked={!isHidden}
              onChange={() =>
                onChange(
                  isHidden ? hiddenLevels.filter((hidden) => hidden !== level) : [...hiddenLevels, level],
                )
              }
            >
              <LevelMark log={level} />
            </Menu.CheckboxItem>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
