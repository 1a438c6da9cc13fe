import { Button, Modal } from '@mantine/core';
import { CodeText } from '../../../widgets/code/CodeView';
import classes from './tools.module.css';

interface ConfirmCallProps {
  opened: boolean;
  tool: string;
  serverName: string;
  argumentsJson: string;
  onClose: () => void;
  onCall: () => void;
}

/** Asks before calling a tool with `destructiveHint`. */
export function ConfirmCall({ opened, tool, serverName, argumentsJson, onClose, onCall }: ConfirmCallProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Call ${tool}?`} size="lg">
      <p className={classes.confirmText}>
        {serverName} marks this tool as destructive: it may delete or overwrite data. It will be called with:
      </p>
      <div className={classes.well}>
        <CodeText text={argumentsJson} language="json" label="Arguments" numbered={false} />
      </div>
      <div className={classes.confirmButtons}>
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color="red" onClick={onCall}>
          Call tool
        </Button>
      </div>
    </Modal>
  );
}
