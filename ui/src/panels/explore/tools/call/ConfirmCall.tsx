import { Button, Checkbox, Modal } from '@mantine/core';
import { useState } from 'react';
import { CodeText } from '../../../../widgets/code/CodeView';
import classes from '../tools.module.css';

interface ConfirmCallProps {
  opened: boolean;
  tool: string;
  serverName: string;
  argumentsJson: string;
  onClose: () => void;
  /** `dontAsk`: also calls this tool of this server without asking from now on. */
  onCall: (dontAsk: boolean) => void;
}

/** Asks before calling a tool with `destructiveHint`. */
export function ConfirmCall({ opened, tool, onClose, ...rest }: ConfirmCallProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Call ${tool}?`} size="lg">
      <Question {...rest} onClose={onClose} />
    </Modal>
  );
}

/** A separate component, mounted only while the dialog is open. */
function Question({ serverName, argumentsJson, onClose, onCall }: Omit<ConfirmCallProps, 'opened' | 'tool'>) {
  const [dontAsk, setDontAsk] = useState(false);
  return (
    <>
      <p className={classes.confirmText}>
        {serverName} marks this tool as destructive: it may delete or overwrite data. It will be called with:
      </p>
      <div className={classes.well}>
        <CodeText text={argumentsJson} language="json" label="Arguments" numbered={false} />
      </div>
      <Checkbox
        className={classes.confirmChoice}
        label="Don't ask again for this tool of this server"
        description="Call options of the tool turn this question on again."
        checked={dontAsk}
        onChange={(event) => setDontAsk(event.currentTarget.checked)}
      />
      <div className={classes.confirmButtons}>
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color="red" onClick={() => onCall(dontAsk)}>
          Call tool
        </Button>
      </div>
    </>
  );
}
