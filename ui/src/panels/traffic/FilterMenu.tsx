import { Menu } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import type { TrafficRow } from '../../contract/generated';
import { withOnly, withoutThose } from '../../model/traffic/filterText';
import { recordTerms } from '../../model/traffic/view/recordTerms';
import { IconButton } from '../../widgets/controls/IconButton';
import classes from './TrafficPanel.module.css';

/** Makes another filter of the one that there is. */
export type FilterChange = (filter: string) => string;

/** What only this record, or its call, has: hiding that hides nothing else. */
const SINGLE = ['id:', 'op:'];

/** Filters the log by what a record is: only such records, or all others. */
export function FilterMenu({ row, onFilter }: { row: TrafficRow; onFilter: (change: FilterChange) => void }) {
  const terms = recordTerms(row);
  return (
    <Menu position="bottom-end" width={300}>
      <Menu.Target>
        <IconButton icon={IconFilter} label="Filter by this record" />
      </Menu.Target>
      <Menu.Dropdown className={classes.terms}>
        <Menu.Label>Show only</Menu.Label>
        {terms.map(({ key, term, meaning }) => (
          <Menu.Item
            key={term}
            data-tip={meaning}
            onClick={() => onFilter((filter) => withOnly(filter, key, term))}
          >
            <span className={`${classes.term} pb-mono`}>{term}</span>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>Hide</Menu.Label>
        {terms
          .filter(({ key }) => !SINGLE.includes(key))
          .map(({ term, meaning }) => (
            <Menu.Item
              key={term}
              data-tip={meaning}
              onClick={() => onFilter((filter) => withoutThose(filter, term))}
            >
              <span className={`${classes.term} pb-mono`}>-{term}</span>
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}
