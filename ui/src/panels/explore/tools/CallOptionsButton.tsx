import { Button, NumberInput, Popover, Switch } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import type { Timeouts } from '../../../contract/generated/contract';
import { type CallOptions, PLAIN_OPTIONS } from '../../../model/tools/toolCall';
import { IconButton } from '../../../widgets/controls/IconButton';
import { JsonEditor } from '../../../widgets/code/JsonEditor';
import classes from './tools.module.css';

interface CallOptionsButtonProps {
  options: CallOptions;
  /** `optional` or `required`, if the tool can be run as a task and the era lets the client ask for it. */
  taskSupport: string | null;
  /** What holds when nothing else is said here. */
  serverTimeouts: Timeouts | null;
  onChange: (options: CallOptions) => void;
}

const DEFAULTS: Timeouts = { requestMs: 60_000, maxTotalMs: 600_000, resetOnProgress: true };

/** What was typed, in ms; null while it is no length of time. */
function milliseconds(value: number | string): number | null {
  const number = Number(value);
  return value === '' || !Number.isFinite(number) || number <= 0 ? null : Math.round(number * 1000);
}

/** Time-outs and `_meta` of this tool's calls. */
export function CallOptionsButton({
  options,
  taskSupport,
  serverTimeouts,
  onChange,
}: CallOptionsButtonProps) {
  const base = serverTimeouts ?? DEFAULTS;
  const timeouts = options.timeouts ?? base;
  const changed = options.timeouts !== null || options.metaJson !== null || options.asTask !== null;
  const setTimeouts = (change: Partial<Timeouts>): void =>
    onChange({ ...options, timeouts: { ...timeouts, ...change } });
  return (
    <Popover position="bottom-end" width={340} trapFocus>
      <Popover.Target>
        <IconButton icon={IconAdjustmentsHorizontal} label="Call options" pressed={changed} />
      </Popover.Target>
      <Popover.Dropdown className={classes.options}>
        <NumberInput
          label="Time-out in seconds"
          description="How long the server may be silent"
          min={0.1}
          value={timeouts.requestMs / 1000}
          onChange={(value) => {
            const requestMs = milliseconds(value);
            if (requestMs !== null) setTimeouts({ requestMs });
          }}
        />
        <NumberInput
          label="At most, in seconds"
          description="Whatever progress it reports"
          min={0.1}
          value={timeouts.maxTotalMs / 1000}
          onChange={(value) => {
            const maxTotalMs = milliseconds(value);
            if (maxTotalMs !== null) setTimeouts({ maxTotalMs });
          }}
        />
        <Switch
          label="Progress starts the time-out anew"
          checked={timeouts.resetOnProgress}
          onChange={(event) => setTimeouts({ resetOnProgress: event.currentTarget.checked })}
        />
        {taskSupport !== null && (
          <>
            <Switch
              label="Run as a task"
              description={
                taskSupport === 'required'
                  ? 'This tool can be run in no other way.'
                  : 'The server answers at once with a task; its result is fetched later.'
              }
              checked={options.asTask !== null}
              onChange={(event) =>
                onChange({ ...options, asTask: event.currentTarget.checked ? { ttlMs: null } : null })
              }
            />
            {options.asTask !== null && (
              <NumberInput
                label="Keep the task for, in seconds"
                description="Empty: as long as the server likes"
                min={1}
                value={options.asTask.ttlMs === null ? '' : options.asTask.ttlMs / 1000}
                onChange={(value) => onChange({ ...options, asTask: { ttlMs: milliseconds(value) } })}
              />
            )}
          </>
        )}
        <div>
          <div className={classes.optionLabel}>Additional _meta</div>
          <div className={classes.meta}>
            <JsonEditor
              value={options.metaJson ?? ''}
              onChange={(text) => onChange({ ...options, metaJson: text.trim() === '' ? null : text })}
              label="Additional _meta, JSON object"
              placeholder={'{"com.example/key": "value"}'}
              optional
            />
          </div>
        </div>
        {changed && (
          <Button variant="default" onClick={() => onChange(PLAIN_OPTIONS)}>
            Use the server’s settings
          </Button>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
