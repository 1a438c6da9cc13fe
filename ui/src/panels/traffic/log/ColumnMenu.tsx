import { Menu } from '@mantine/core';
import { IconColumns3, IconRestore } from '@tabler/icons-react';
import { COLUMNS } from '../../../model/traffic/view/columns';
import type { TrafficView as SavedView } from '../../../model/workspace/uiState';
import { IconButton } from '../../../widgets/controls/IconButton';

interface ColumnMenuProps {
  saved: Pick<SavedView, 'oneRow' | 'timeline' | 'hiddenColumns' | 'columnWidths'>;
  onChange: (part: Partial<SavedView>) => void;
}

/** What the rows of the log show: which columns, and whether a call is one row or two. */
export function ColumnMenu({ saved, onChange }: ColumnMenuProps) {
  const { oneRow, timeline, hiddenColumns, columnWidths } = saved;
  const isUsual = !timeline && hiddenColumns.length === 0 && Object.keys(columnWidths).length === 0;
  return (
    <Menu position="bottom-end" width={230} closeOnItemClick={false}>
      <Menu.Target>
        <IconButton icon={IconColumns3} label="Rows and columns" />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Rows</Menu.Label>
        <Menu.CheckboxItem
          checked={oneRow}
          onChange={(isOn) => onChange({ oneRow: isOn })}
          data-tip="Hides responses: a request has their status and time"
        >
          One row per call
        </Menu.CheckboxItem>
        <Menu.Divider />
        <Menu.Label>Columns</Menu.Label>
        {COLUMNS.map(({ id, label }) => {
          const others = hiddenColumns.filter((each) => each !== id);
          return (
            <Menu.CheckboxItem
              key={id}
              checked={!hiddenColumns.includes(id)}
              onChange={(isOn) => onChange({ hiddenColumns: isOn ? others : [...others, id] })}
            >
              {label}
            </Menu.CheckboxItem>
          );
        })}
        <Menu.CheckboxItem
          checked={timeline}
          onChange={(isOn) => onChange({ timeline: isOn })}
          data-tip="When each record was, and how long a call took, within the time of the rows in view"
        >
          Timeline
        </Menu.CheckboxItem>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconRestore size={14} />}
          disabled={isUsual}
          onClick={() => onChange({ timeline: false, hiddenColumns: [], columnWidths: {} })}
        >
          Reset columns
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
