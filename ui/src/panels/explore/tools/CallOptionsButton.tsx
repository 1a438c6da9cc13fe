import { Button, NumberInput, Popover, Switch } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import type { Timeouts } from '../../../contract/generated';
import { type CallOptions, DEFAULT_OPTIONS } from '../../../model/exchange/request';
import { IconButton } from '../../../widgets/controls/IconButton';
import { JsonEditor } from '../../../widgets/code/JsonEditor';
import classes from './tools.module.css';

interface CallOptionsButtonProps {
  options: CallOptions;
  /** `optional` or `required`, if the tool can run as a task and the era lets the client request it. */
  taskSupport: string | null;
  /** The server's settings, used where nothing is set here. */
  serverTimeouts: Timeouts | null;
  onChange: (options: CallOptions) => void;
}

const DEFAULTS: Timeouts = { requestMs: 60_000, maxTotalMs: 600_000, resetOnProgress: true };

/** The typed seconds in milliseconds; null while they are not a duration. */
function milliseconds(value: number | string): number | null {
  const number = Number(value);
  return value === '' || !Number.isFinite(number) || number <= 0 ? null : Math.round(number * 1000);
}

/** Timeouts, task mode and `_meta` for the calls of this tool. */
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
          label="Request timeout (s)"
          description="How long the server may be silent"
          min={0.1}
          value={timeouts.requestMs / 1000}
          onChange={(value) => {
            const requestMs = milliseconds(value);
            if (requestMs !== null) setTimeouts({ requestMs });
          }}
        />
        <NumberInput
          label="Maximum total (s)"
          description="Regardless of progress"
          min={0.1}
          value={timeouts.maxTotalMs / 1000}
          onChange={(value) => {
            const maxTotalMs = milliseconds(value);
            if (maxTotalMs !== null) setTimeouts({ maxTotalMs });
          }}
        />
        <Switch
          label="Reset timeout on progress"
          checked={timeouts.resetOnProgress}
          onChange={(event) => setTimeouts({ resetOnProgress: event.currentTarget.checked })}
        />
        {taskSupport !== null && (
          <>
            <Switch
              label="Run as a task"
              description={
                taskSupport === 'required'
                  ? 'This tool can only run as a task.'
                  : 'The server returns a task at once; its result is fetched later.'
              }
              checked={options.asTask !== null}
              onChange={(event) =>
                onChange({ ...options, asTask: event.currentTarget.checked ? { ttlMs: null } : null })
              }
            />
            {options.asTask !== null && (
              <NumberInput
                label="Task lifetime (s)"
                description="Empty: the server decides"
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
          <Button variant="default" onClick={() => onChange(DEFAULT_OPTIONS)}>
            Use server settings
          </Button>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
