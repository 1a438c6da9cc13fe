import { Menu } from '@mantine/core';
import {
  IconArrowsDiff,
  IconCheck,
  IconCopy,
  IconDatabase,
  IconDots,
  IconDownload,
} from '@tabler/icons-react';
import { useState } from 'react';
import { MAX_COPIED, readRecords } from '../../../model/traffic/export/readRecords';
import { recordText } from '../../../model/traffic/export/recordText';
import type { RowRange } from '../../../model/traffic/useRowRange';
import type { TrafficView } from '../../../model/traffic/useTrafficView';
import { useHost } from '../../../model/workspace/context';
import { formatCount } from '../../../model/text/format';
import { IconButton } from '../../../widgets/controls/IconButton';
import { useCopy } from '../../../widgets/controls/useCopy';
import { CompareDialog, type RecordEnds } from './CompareDialog';
import { ExportLogDialog } from './ExportLogDialog';
import { LogLimitsDialog } from './LogLimitsDialog';

interface LogMenuProps {
  view: TrafficView;
  /** The same in the order of time. */
  live: TrafficView;
  /** The selected records; null if none is selected. */
  range: RowRange | null;
  /** Whether the filter or the scope hides records. */
  isPart: boolean;
  /** Whether the records are in another order than that of time. */
  isSorted: boolean;
}

/** What can be done with the log as a whole or with the selected records: copy, export, limit. */
export function LogMenu({ view, live, range, isPart, isSorted }: LogMenuProps) {
  const host = useHost();
  const { words, isCopied, copy } = useCopy('Copy, export, limits');
  const [dialog, setDialog] = useState<'export' | 'limits' | null>(null);
  /** The records that were selected when their comparison was opened: the log goes on. */
  const [compared, setCompared] = useState<RecordEnds | null>(null);
  const count = range === null ? 0 : range.last - range.first + 1;
  const close = (): void => setDialog(null);
  return (
    <>
      <Menu position="bottom-end" width={250}>
        <Menu.Target>
          <IconButton icon={isCopied ? IconCheck : IconDots} label={words} />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{selectionText(count)}</Menu.Label>
          <Menu.Item
            disabled={range === null || count > MAX_COPIED}
            leftSection={<IconCopy size={14} />}
            onClick={() => {
              if (range !== null)
                void copy(() => readRecords(host, { ...view, isSorted }, range, recordText));
            }}
          >
            Copy as text
          </Menu.Item>
          <Menu.Item
            disabled={count < 2}
            leftSection={<IconArrowsDiff size={14} />}
            onClick={() => range !== null && setCompared({ from: { ...view, isSorted }, range })}
          >
            Compare first and last…
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconDownload size={14} />} onClick={() => setDialog('export')}>
            Export…
          </Menu.Item>
          <Menu.Item leftSection={<IconDatabase size={14} />} onClick={() => setDialog('limits')}>
            Size and limits…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <CompareDialog ends={compared} onClose={() => setCompared(null)} />
      <ExportLogDialog
        opened={dialog === 'export'}
        view={live}
        // A part of the log is exported from one record to another, in the order of time.
        range={isSorted ? null : range}
        isPart={isPart}
        onClose={close}
      />
      <LogLimitsDialog opened={dialog === 'limits'} onClose={close} />
    </>
  );
}

function selectionText(count: number): string {
  if (count === 0) return 'Select a record, or several with Shift';
  const selected = `${formatCount(count, 'record')} selected`;
  return count > MAX_COPIED ? `${selected}; at most ${formatCount(MAX_COPIED)} can be copied` : selected;
}
