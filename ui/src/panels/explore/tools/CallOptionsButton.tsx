import { Button, NumberInput, Popover, Select, Switch } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import type { Timeouts, ToolItem } from '../../../contract/generated';
import { type AskMode, defaultMode } from '../../../model/tools/consent';
import { type CallOptions, DEFAULT_OPTIONS } from '../../../model/exchange/request';
import { IconButton } from '../../../widgets/controls/IconButton';
import { JsonEditor } from '../../../widgets/code/JsonEditor';
import shared from '../request/request.module.css';
import { TimeoutFields, milliseconds } from '../request/TimeoutFields';
import { askChoices } from './call/askChoices';
import type { Confirmation } from './call/useConfirmation';
import classes from './tools.module.css';

interface CallOptionsButtonProps {
  options: CallOptions;
  /** `optional` or `required`, if the tool can run as a task and the era lets the client request it. */
  taskSupport: string | null;
  /** The server's settings, used where nothing is set here. */
  serverTimeouts: Timeouts | null;
  onChange: (options: CallOptions) => void;
  /** What the tool says that it does. */
  hints: ToolItem['hints'];
  confirmation: Confirmation;
}

/** Timeouts, task mode and `_meta` for the calls of this tool. */
export function CallOptionsButton({
  options,
  taskSupport,
  serverTimeouts,
  onChange,
  hints,
  confirmation: { mode, setMode },
}: CallOptionsButtonProps) {
  const isTask = taskSupport !== null && options.asTask !== null;
  const changed = options.timeouts !== null || options.metaJson !== null || isTask || mode === 'neverTool';
  const reset = (): void => {
    onChange(DEFAULT_OPTIONS);
    if (mode === 'neverTool') setMode(defaultMode(hints));
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
        {mode !== null && (
          <Select
            label="Ask before calls"
            description={
              hints.destructive === true
                ? 'The server marks this tool as destructive.'
                : 'The server does not declare whether this tool modifies data.'
            }
            data={askChoices(hints).map((choice) => ({ value: choice.mode, label: choice.label }))}
            value={mode}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
            onChange={(value) => setMode(value as AskMode)}
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
                description="Leave empty to let the server decide"
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
