import { Button, Group, Modal, Progress, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { TrafficExportParams } from '../../../contract/generated';
import { formatCount, formatSize } from '../../../model/text/format';
import type { RowRange } from '../../../model/traffic/useRowRange';
import { type TrafficView, useRowCount } from '../../../model/traffic/useTrafficView';
import { useHost } from '../../../model/workspace/context';
import { saveBytes } from '../../../widgets/bytes/saveBytes';
import { IconButton } from '../../../widgets/controls/IconButton';
import { Segments } from '../../../widgets/controls/Segments';
import { useCopy } from '../../../widgets/controls/useCopy';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { Fact, Facts } from '../../../widgets/facts/Facts';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { MOST_EXCHANGES } from '../../../model/traffic/export/har';
import { MOST_SORTED } from '../../../model/traffic/view/sortedRows';
import { type HarState, useHarExport } from '../../../model/traffic/export/useHarExport';
import {
  type ExportState,
  NOT_THERE,
  endsOf,
  useLogExport,
} from '../../../model/traffic/export/useLogExport';
import { focused } from '../../../widgets/focus/focused';

interface ExportLogDialogProps {
  opened: boolean;
  view: TrafficView;
  /** The selected records; null if none is selected. */
  range: RowRange | null;
  /** Whether the view shows a part of the log only. */
  isPart: boolean;
  onClose: () => void;
}

/** Which records are exported. */
type Choice = 'selected' | 'shown' | 'all';

/** What the file is. */
type Format = 'jsonl' | 'har';

/** Exports the log, or a part of it, as JSON Lines, or its HTTP exchanges as an HTTP Archive. */
export function ExportLogDialog({ opened, onClose, ...rest }: ExportLogDialogProps) {
  const log = useLogExport();
  const har = useHarExport((text) => saveBytes(text, 'patchbay-traffic.har', 'application/json'));
  const close = (): void => {
    log.reset();
    har.reset();
    onClose();
  };
  // One export at a time: what is shown is how far the last one is.
  const start = (find: () => Promise<TrafficExportParams>, format: Format): void => {
    const [started, other] = format === 'jsonl' ? [log, har] : [har, log];
    other.reset();
    void started.start(find);
  };
  return (
    <Modal opened={opened} onClose={close} title="Export traffic" size={520}>
      {log.state.type === 'finished' ? (
        <Finished file={log.state.file} onClose={close} />
      ) : har.state.type === 'finished' ? (
        <HarFinished {...har.state} onClose={close} />
      ) : (
        <Form
          {...rest}
          state={har.state.type === 'idle' ? log.state : har.state}
          onStart={start}
          onCancel={close}
        />
      )}
    </Modal>
  );
}

interface FormProps extends Pick<ExportLogDialogProps, 'view' | 'range' | 'isPart'> {
  state: Exclude<ExportState | HarState, { type: 'finished' }>;
  onStart: (find: () => Promise<TrafficExportParams>, format: Format) => void;
  onCancel: () => void;
}

function Form({ view, range, isPart, state, onStart, onCancel }: FormProps) {
  const host = useHost();
  const { total } = useRowCount(view);
  const selected = range === null ? 0 : range.last - range.first + 1;
  const [choice, setChoice] = useState<Choice>(selected > 1 ? 'selected' : isPart ? 'shown' : 'all');
  const [folder, setFolder] = useState('');
  const [format, setFormat] = useState<Format>('jsonl');
  const isRunning = state.type === 'running';

  const find = async (): Promise<TrafficExportParams> => {
    const to = folder.trim() === '' ? null : folder.trim();
    if (choice === 'all') return { filter: '', from: null, to: null, folder: to };
    const isShown = choice === 'shown';
    if (isShown && view.frozen === null) return { filter: view.filter, from: null, to: null, folder: to };
    // A paused log does not show what came since.
    if (isShown && total === 0) throw new Error('The paused log shows no records');
    const exported = isShown ? { first: 0, last: total - 1 } : range;
    // What was selected when the dialog was opened may have left the log.
    if (exported === null) throw new Error(NOT_THERE);
    const [first, last] = await endsOf(host, view.filter, exported);
    return { filter: view.filter, from: first, to: last, folder: to };
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isRunning) onStart(find, format);
      }}
    >
      <Stack gap="md">
        <Group gap="sm">
          <Text size="sm" fw={500}>
            Format
          </Text>
          <Segments<Format>
            label="Format"
            value={format}
            disabled={isRunning}
            onChange={setFormat}
            segments={[
              { value: 'jsonl', label: 'Messages (JSON Lines)' },
              { value: 'har', label: 'HTTP exchanges (HAR)' },
            ]}
          />
        </Group>
        <Radio.Group label="Records" value={choice} onChange={(value) => setChoice(value)}>
          <Stack gap="xs" mt={6}>
            <Radio
              value="selected"
              disabled={selected === 0 || isRunning}
              label={selected === 0 ? 'Selected (none)' : `Selected: ${formatCount(selected, 'record')}`}
            />
            {isPart && (
              <Radio
                value="shown"
                disabled={isRunning}
                label={`Shown by the filter: ${formatCount(total, 'record')}`}
              />
            )}
            <Radio value="all" disabled={isRunning} label="Entire traffic log, all servers" />
          </Stack>
        </Radio.Group>
        {format === 'jsonl' && (
          <TextInput
            size="xs"
            label="Folder"
            description="An existing folder on the computer that runs Patchbay"
            placeholder="Downloads folder"
            classNames={{ input: 'pb-mono' }}
            value={folder}
            disabled={isRunning}
            maxLength={4096}
            spellCheck={false}
            onChange={(event) => setFolder(event.currentTarget.value)}
          />
        )}
        <Text size="xs" c="dimmed">
          {format === 'jsonl'
            ? 'One JSON object per line: messages, stderr, and stdout that is not JSON-RPC, with direction and time. Secrets stay masked. HTTP exchanges and connection events are not included.'
            : `The HTTP exchanges among these records, and those that carried one of them, as an HTTP Archive 1.2 for developer tools of browsers and for proxies; the newest ${formatCount(MOST_EXCHANGES)}. Saved as a download. Secrets stay masked.`}
        </Text>
        {state.type === 'failed' && <CommandAlert error={state.error} />}
        {isRunning && <Progress value={state.part * 100} aria-label="Export progress" size="sm" />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isRunning} data-autofocus>
            Export
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface HarFinishedProps extends Omit<Extract<HarState, { type: 'finished' }>, 'type'> {
  onClose: () => void;
}

/** The file is where the browser or the window saves downloads. */
function HarFinished({ exchanges, of, isCut, onClose }: HarFinishedProps) {
  const words =
    exchanges === 0
      ? 'There is no HTTP exchange among these records: stdio servers have none. No file was saved.'
      : `${formatCount(exchanges, 'HTTP exchange')} saved as patchbay-traffic.har${exchanges < of ? `, the newest of ${formatCount(of)}` : ''}.`;
  return (
    <Stack gap="md">
      <Text size="sm" role="status">
        {words}
        {isCut &&
          ` Only the newest ${formatCount(MOST_SORTED)} records were searched; a filter reaches older ones.`}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} ref={focused}>
          Close
        </Button>
      </Group>
    </Stack>
  );
}

interface FinishedProps {
  file: { path: string; lines: number; bytes: number };
  onClose: () => void;
}

function Finished({ file, onClose }: FinishedProps) {
  const { words, isCopied, copy } = useCopy('Copy path');
  return (
    <Stack gap="md">
      <Facts names={64}>
        <Fact name="File" mono>
          {file.path}{' '}
          <IconButton
            icon={isCopied ? IconCheck : IconCopy}
            label={words}
            size="xs"
            onClick={() => void copy(() => file.path)}
          />
        </Fact>
        <Fact name="Contents">
          {formatCount(file.lines, 'line')}, {formatSize(file.bytes)}
        </Fact>
      </Facts>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} ref={focused}>
          Close
        </Button>
      </Group>
    </Stack>
  );
}
