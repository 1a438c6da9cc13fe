import { Button } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { useStore } from 'zustand';
import type { InputItem } from '../../../contract/generated';
import type { RequestEnd } from '../../../model/inbox/history';
import { useModel } from '../../../model/workspace/context';
import { useCopy } from '../../../widgets/controls/useCopy';
import classes from '../InputDialog.module.css';

interface GoneNoteProps {
  item: InputItem;
  end: RequestEnd;
  /** What the user had written; null if nothing. */
  draft: string | null;
}

/** Says that a request can no longer be answered, and keeps what was written for it within reach. */
export function GoneNote({ item, end, draft }: GoneNoteProps) {
  const { inputs, workspace } = useModel();
  const next = useStore(inputs, ({ items }) => items.find(({ id }) => id !== item.id));
  const { words, copy } = useCopy('Copy draft');
  return (
    <div className={classes.withdrawn} role="alert">
      <IconBan size={16} aria-hidden />
      <span className="pb-grow">
        <b>{end.heading}.</b> {end.reason === '' ? null : `${end.reason} `}It can no longer be answered.
      </span>
      {draft !== null && (
        <Button variant="default" size="compact-xs" onClick={() => void copy(() => draft)}>
          {words}
        </Button>
      )}
      {next !== undefined && (
        <Button
          size="compact-xs"
          onClick={() => {
            inputs.offer(next.id);
            workspace.setState({ openInput: next.id });
          }}
        >
          Show the next request
        </Button>
      )}
    </div>
  );
}
