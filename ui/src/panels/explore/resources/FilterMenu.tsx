import { Menu } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { memo, useState } from 'react';
import {
  type ResourceFilter,
  type ResourceSort,
  isFiltered,
} from '../../../model/lists/resources/resourceFilter';
import type { ResourceRow } from '../../../model/lists/resources/resourceTree';
import { IconButton } from '../../../widgets/controls/IconButton';

const SORTS: readonly [ResourceSort, string][] = [
  ['server', 'As listed'],
  ['name', 'Name'],
  ['priority', 'Priority'],
  ['lastModified', 'Last modified'],
];
const PRIORITIES: readonly [number, string][] = [
  [0, 'Any priority'],
  [0.5, '0.5 or higher'],
  [0.8, '0.8 or higher'],
];
/** More audiences than these are not offered. */
const MAX_AUDIENCES = 8;

interface FilterMenuProps {
  filter: ResourceFilter;
  rows: readonly ResourceRow[];
  onChange: (filter: ResourceFilter) => void;
}

/** Filters and sorts by what the annotations say. Not rendered with each key typed in the search. */
export const FilterMenu = memo(function FilterMenu({ filter, rows, onChange }: FilterMenuProps) {
  const [opened, setOpened] = useState(false);
  const isOn = isFiltered(filter) || filter.sort !== 'server';
  return (
    <Menu position="bottom-end" opened={opened} onChange={setOpened} closeOnItemClick={false}>
      <Menu.Target>
        <IconButton icon={IconFilter} label="Filter and sort" pressed={isOn} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Audience</Menu.Label>
        <Menu.RadioGroup
          value={filter.audience ?? ''}
          onChange={(audience) => onChange({ ...filter, audience: audience === '' ? null : audience })}
        >
          <Menu.RadioItem value="">Anyone</Menu.RadioItem>
          {/* Looked for only while the menu is open: a list may have 10,000 resources. */}
          {opened &&
            audiencesOf(rows).map((audience) => (
              <Menu.RadioItem key={audience} value={audience}>
                {audience.slice(0, 60)}
              </Menu.RadioItem>
            ))}
        </Menu.RadioGroup>
        <Menu.Label>Priority</Menu.Label>
        <Menu.RadioGroup
          value={String(filter.minPriority)}
          onChange={(value) => onChange({ ...filter, minPriority: Number(value) })}
        >
          {PRIORITIES.map(([minPriority, label]) => (
            <Menu.RadioItem key={label} value={String(minPriority)}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Label>Sort by</Menu.Label>
        <Menu.RadioGroup
          value={filter.sort}
          onChange={(value) => {
            const sort = SORTS.find(([known]) => known === value)?.[0];
            if (sort !== undefined) onChange({ ...filter, sort });
          }}
        >
          {SORTS.map(([sort, label]) => (
            <Menu.RadioItem key={sort} value={sort}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
});

function audiencesOf(rows: readonly ResourceRow[]): string[] {
  const audiences = new Set(['user', 'assistant']);
  for (const { item } of rows) {
    for (const audience of item.audience) {
      if (audience !== '' && audiences.size < MAX_AUDIENCES) audiences.add(audience);
    }
  }
  return [...audiences];
}
