import { NumberInput, Switch } from '@mantine/core';
import type { Timeouts } from '../../../contract/generated';

const DEFAULTS: Timeouts = { requestMs: 60_000, maxTotalMs: 600_000, resetOnProgress: true };

/** The typed seconds in milliseconds; null while they are not a duration. */
export function milliseconds(value: number | string): number | null {
  const number = Number(value);
  return value === '' || !Number.isFinite(number) || number <= 0 ? null : Math.round(number * 1000);
}

interface TimeoutFieldsProps {
  /** Null uses the server's settings. */
  timeouts: Timeouts | null;
  /** The server's settings. */
  serverTimeouts: Timeouts | null;
  onChange: (timeouts: Timeouts) => void;
}

/** The timeouts of a request. */
export function TimeoutFields({ timeouts, serverTimeouts, onChange }: TimeoutFieldsProps) {
  const shown = timeouts ?? serverTimeouts ?? DEFAULTS;
  const set = (change: Partial<Timeouts>): void => onChange({ ...shown, ...change });
  return (
    <>
      <NumberInput
        label="Request timeout (s)"
        description="How long the server may be silent"
        min={0.1}
        value={shown.requestMs / 1000}
        onChange={(value) => {
          const requestMs = milliseconds(value);
          if (requestMs !== null) set({ requestMs });
        }}
      />
      <NumberInput
        label="Maximum total (s)"
        description="Regardless of progress"
        min={0.1}
        value={shown.maxTotalMs / 1000}
        onChange={(value) => {
          const maxTotalMs = milliseconds(value);
          if (maxTotalMs !== null) set({ maxTotalMs });
        }}
      />
      <Switch
        label="Reset timeout on progress"
        checked={shown.resetOnProgress}
        onChange={(event) => set({ resetOnProgress: event.currentTarget.checked })}
      />
    </>
  );
}
