import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { InputItem } from '../../../contract/generated';
import { type QuickAnswer, endingAnswer } from '../../../model/inbox/inputAnswer';
import { callEndInWords } from '../../../model/inbox/useCause';
import classes from '../InputDialog.module.css';

interface EndedCallNoteProps {
  item: InputItem;
  disabled: boolean;
  onEnd: (answer: QuickAnswer) => void;
}

/** Says that a server still waits although its call is over, and offers to let it go on. */
export function EndedCallNote({ item, disabled, onEnd }: EndedCallNoteProps) {
  const end = callEndInWords(item);
  if (end === null) return null;
  const answer = endingAnswer(item);
  return (
    <div className={classes.withdrawn} role="status">
      <IconAlertTriangle size={16} aria-hidden />
      <span className="pb-grow">
        {end}, but {item.serverName} has not withdrawn this request and is still waiting for an answer.
      </span>
      <Button
        variant="default"
        size="compact-xs"
        disabled={disabled}
        data-tip={answer.meaning}
        onClick={() => onEnd(answer)}
      >
        {answer.label}
      </Button>
    </div>
  );
}
