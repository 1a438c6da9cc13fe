import { Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { CommandError, TrafficUsageResponse } from '../../contract/generated';
import { commandError } from '../../model/store/errors';
import { formatCount, formatDateTime, formatSize } from '../../model/text/format';
import { useHost } from '../../model/workspace/context';
import { CommandAlert } from '../failure/CommandAlert';
import { useSubmission } from '../failure/useSubmission';
import { Fact, Facts } from '../facts/Facts';
import { CancelButton, useUnsaved } from '../layout/GuardedModal';
import { Waiting } from '../status/Waiting';
import { focused } from '../focus/focused';

const MEBIBYTE = 1_048_576;
const DAY_MS = 86_400_000;

interface LogLimitsProps {
  /** Leaves the dialog that they are in; without one they are read again once they are saved. */
  onClose?: () => void;
}

/** The size of the stored log and its limits. */
export function LogLimits({ onClose }: LogLimitsProps) {
  const host = useHost();
  const [asked, setAsked] = useState(0);
  /** The last answer, and which reading it answers: the fields begin again with each. */
  const [read, setRead] = useState<{ usage: TrafficUsageResponse; reading: number } | null>(null);
  const [error, setError] = useState<CommandError | null>(null);
  useEffect(() => {
    let isCurrent = true;
    host.call('traffic_usage', {}).then(
      (usage) => {
        if (!isCurrent) return;
        setRead({ usage, reading: asked });
        setError(null);
      },
      (thrown: unknown) => isCurrent && setError(commandError(thrown)),
    );
    return () => {
      isCurrent = false;
    };
  }, [host, asked]);
  const readAgain = (): void => setAsked((count) => count + 1);
  if (error !== null) {
    return (
      <CommandAlert error={error}>
        <Button variant="default" onClick={readAgain}>
          Try again
        </Button>
      </CommandAlert>
    );
  }
  if (read === null) return <Waiting text="Loading…" />;
  return (
    <Stack gap="md">
      <Usage usage={read.usage} />
      <Limits key={read.reading} usage={read.usage} onCancel={onClose} onSaved={onClose ?? readAgain} />
    </Stack>
  );
}

function Usage({ usage }: { usage: TrafficUsageResponse }) {
  return (
    <Facts names={84}>
      <Fact name="Size">
        {formatSize(usage.bytes)} in {formatCount(usage.records, 'record')}
      </Fact>
      {usage.oldestAtMs !== null && <Fact name="Oldest">{formatDateTime(usage.oldestAtMs)}</Fact>}
      {usage.removed > 0 && (
        <Fact name="Removed">
          {formatCount(usage.removed, 'record')}
          {usage.removedUptoMs !== null && `, up to ${formatDateTime(usage.removedUptoMs)}`}, because of the
          limits
        </Fact>
      )}
    </Facts>
  );
}

/** What is typed into a field, as a number of the unit; null if the field is empty, undefined if it is not a number. */
function amount(typed: number | string, unit: number): number | null | undefined {
  if (typed === '') return null;
  const number = Math.round(Number(typed) * unit);
  return Number.isFinite(number) ? number : undefined;
}

/** What to say at a field. */
const problemOf = (of: number | null | undefined): string | undefined =>
  of === undefined ? 'Not a number' : undefined;

interface LimitsProps {
  usage: TrafficUsageResponse;
  onCancel: (() => void) | undefined;
  onSaved: () => void;
}

function Limits({ usage, onCancel, onSaved }: LimitsProps) {
  const host = useHost();
  const [size, setSize] = useState<number | string>(usage.maxBytes === null ? '' : usage.maxBytes / MEBIBYTE);
  const [age, setAge] = useState<number | string>(usage.maxAgeMs === null ? '' : usage.maxAgeMs / DAY_MS);
  const { busy, error, submit } = useSubmission();
  const maxBytes = amount(size, MEBIBYTE);
  const maxAgeMs = amount(age, DAY_MS);
  const isChanged = maxBytes !== usage.maxBytes || maxAgeMs !== usage.maxAgeMs;
  useUnsaved(isChanged);
  const isSmaller = typeof maxBytes === 'number' && maxBytes < usage.bytes;

  const save = async (): Promise<void> => {
    // What is not a number must not become “no limit”.
    if (maxBytes === undefined || maxAgeMs === undefined) return;
    await submit(async () => {
      await host.call('traffic_set_quota', { maxBytes, maxAgeMs });
      onSaved();
    });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged && !busy) void save();
      }}
    >
      <Stack gap="md">
        <Group grow align="flex-start" gap="md">
          <NumberInput
            size="xs"
            label="Maximum size (MiB)"
            placeholder="Limited by the disk"
            min={1}
            decimalScale={2}
            value={size}
            error={problemOf(maxBytes)}
            // Its dialog has opened before this is known.
            ref={onCancel === undefined ? undefined : focused}
            data-autofocus={onCancel !== undefined || undefined}
            onChange={setSize}
          />
          <NumberInput
            size="xs"
            label="Maximum age (days)"
            placeholder="Unlimited"
            min={0}
            decimalScale={3}
            value={age}
            error={problemOf(maxAgeMs)}
            onChange={setAge}
          />
        </Group>
        <Text size="xs" c="dimmed">
          The oldest records of all servers are removed first, a tenth of the limit at once.
          {isSmaller && ' The traffic log is larger than this: its oldest records are removed when you save.'}
        </Text>
        {error !== null && <CommandAlert error={error} />}
        <Group justify="flex-end" gap="xs">
          {onCancel !== undefined && <CancelButton onCancel={onCancel} />}
          <Button
            type="submit"
            disabled={!isChanged || maxBytes === undefined || maxAgeMs === undefined}
            loading={busy}
          >
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
