import { Button, Modal, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import type { ToolItem } from '../../contract/generated';
import { CodeText } from '../code/CodeView';
import classes from './ConfirmCall.module.css';

/** When to ask the next time, the default first. */
export type AskChoices<Mode extends string> = readonly [AskChoice<Mode>, ...AskChoice<Mode>[]];
interface AskChoice<Mode extends string> {
  mode: Mode;
  label: string;
}

interface ConfirmCallProps<Mode extends string> {
  opened: boolean;
  tool: string;
  hints: ToolItem['hints'];
  serverName: string;
  /** Who wants to call it; null for the user. */
  asker?: string | null;
  /** Whether the tool's definition changed since the user reviewed it. */
  isChanged?: boolean;
  argumentsJson: string;
  choices: AskChoices<Mode>;
  onClose: () => void;
  onCall: (mode: Mode) => void;
}

/** Asks before calling a tool that may destroy something. */
export function ConfirmCall<Mode extends string>({ opened, tool, onClose, ...rest }: ConfirmCallProps<Mode>) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Call ${tool}?`} size="lg">
      <Question {...rest} onClose={onClose} />
    </Modal>
  );
}

/** A separate component, mounted only while the dialog is open. */
function Question<Mode extends string>({
  serverName,
  hints,
  asker = null,
  isChanged = false,
  argumentsJson,
  choices,
  onClose,
  onCall,
}: Omit<ConfirmCallProps<Mode>, 'opened' | 'tool'>) {
  const [mode, setMode] = useState<Mode>(choices[0].mode);
  return (
    <>
      <p className={classes.text}>
        {asker !== null && `${asker} requested this call. `}
        {isChanged &&
          'The definition of this tool has changed since you reviewed it. Each call asks until you accept the change. '}
        {hints.readOnly === true
          ? `${serverName} marks this tool as read-only. `
          : hints.destructive === true
            ? `${serverName} marks this tool as destructive: it may delete or overwrite data. `
            : `${serverName} does not declare whether this tool modifies data, so it is treated as destructive: it may delete or overwrite data. `}
        Arguments:
      </p>
      <div className={classes.well}>
        <CodeText text={argumentsJson} language="json" label="Arguments" numbered={false} />
      </div>
      <Radio.Group className={classes.choice} label="For later calls" value={mode} onChange={setMode}>
        <Stack gap={4} mt={4}>
          {choices.map((choice) => (
            <Radio key={choice.mode} value={choice.mode} label={choice.label} />
          ))}
        </Stack>
      </Radio.Group>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color="red" onClick={() => onCall(mode)}>
          Call tool
        </Button>
      </div>
    </>
  );
}
