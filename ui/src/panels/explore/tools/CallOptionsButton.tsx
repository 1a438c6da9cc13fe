import { Button, NumberInput, Popover, Switch } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import type { Timeouts } from '../../../contract/generated';
import { type CallOptions, DEFAULT_OPTIONS } from '../../../model/exchange/request';
import { IconButton } from '../../../widgets/controls/IconButton';
import { JsonEditor } from '../../../widgets/code/JsonEditor';
import shared from '../request/request.module.css';
import { TimeoutFields, milliseconds } from '../request/TimeoutFields';
import classes from './tools.module.css';

interface CallOptionsButtonProps {
  options: CallOptions;
  /** `optional` or `required`, if the tool can run as a task and the era lets the client request it. */
  taskSupport: string | null;
  /** The server's settings, used where nothing is set here. */
  serverTimeouts: Timeouts | null;
  onChange: (options: CallOptions) => void;
  /** For a destructive tool: whether the user is asked before each call. */
  isConfirmed: boolean | null;
  onConfirmed: (isConfirmed: boolean) => void;
}

/** Timeouts, task mode and `_meta` for the calls of this tool. */
export function CallOptionsButton({
  options,
  taskSupport,
  serverTimeouts,
  onChange,
  isConfirmed,
  onConfirmed,
}: CallOptionsButtonProps) {
  const changed =
    options.timeouts !== null ||
    options.metaJson !== null ||
    options.asTask !== null ||
    isConfirmed === false;
  const reset = (): void => {
    onChange(DEFAULT_OPTIONS);
    if (isConfirmed === false) onConfirmed(true);
  };
  return (
    <Popover position="bottom-end" width={340} trapFocus>
      <Popover.Target>
        <IconButton icon={IconAdjustmentsHorizontal} label="Call options" pressed={changed} />
      </Popover.Target>
      <Popover.Dropdown className={shared.options}>
        <TimeoutFields
          timeouts={options.timeouts}
          serverTimeouts={serverTimeouts}
          onChange={(timeouts) => onChange({ ...options, timeouts })}
        />
        {isConfirmed !== null && (
          <Switch
            label="Ask before each call"
            description="The server marks this tool as destructive."
            checked={isConfirmed}
            onChange={(event) => onConfirmed(event.currentTarget.checked)}
          />
        )}
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
          <Button variant="default" onClick={reset}>
            Use server settings
          </Button>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
