import { Menu } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { formatLine } from '../../../model/traffic/logLines';
import { MAX_COPIED, readRecords } from '../../../model/traffic/export/readRecords';
import type { RowRange } from '../../../model/traffic/useRowRange';
import type { TrafficView } from '../../../model/traffic/useTrafficView';
import { useHost } from '../../../model/workspace/context';
import { formatCount } from '../../../model/text/format';
import { saveBytes } from '../../../widgets/bytes/saveBytes';
import { IconButton } from '../../../widgets/controls/IconButton';
import { useCopy } from '../../../widgets/controls/useCopy';

interface CopyLinesProps {
  view: TrafficView;
  /** The selected lines; null if none is selected. */
  range: RowRange | null;
}

/** Copies or saves the selected lines, with everything they say. */
export function CopyLines({ view, range }: CopyLinesProps) {
  const host = useHost();
  const { words, isCopied, attempt, copy } = useCopy('Copy or save the selected lines');
  const count = range === null ? 0 : range.last - range.first + 1;
  const isTooMany = count > MAX_COPIED;
  const read = (format: 'text' | 'jsonl'): Promise<string> =>
    range === null
      ? Promise.resolve('')
      : readRecords(host, view, range, (record) => formatLine(record, format));
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton icon={isCopied ? IconCheck : IconCopy} label={words} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {range === null
            ? 'Select a line, or several with Shift'
            : isTooMany
              ? `${formatCount(count, 'line')} selected; at most ${formatCount(MAX_COPIED)} can be copied`
              : `${formatCount(count, 'line')} selected`}
        </Menu.Label>
        <Menu.Item
          disabled={range === null || isTooMany}
          leftSection={<IconCopy size={14} />}
          onClick={() => void copy(() => read('text'))}
        >
          Copy as text
        </Menu.Item>
        <Menu.Item
          disabled={range === null || isTooMany}
          leftSection={<IconCopy size={14} />}
          onClick={() => void copy(() => read('jsonl'))}
        >
          Copy as JSON Lines
        </Menu.Item>
        <Menu.Item
          disabled={range === null || isTooMany}
          leftSection={<IconDownload size={14} />}
          onClick={() =>
            void attempt(async () => saveBytes(await read('jsonl'), 'logs.jsonl', 'application/x-ndjson'))
          }
        >
          Save as JSON Lines
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
