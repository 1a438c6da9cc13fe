import { Button } from '@mantine/core';
import { useStore } from 'zustand';
import type { InputItem } from '../../../contract/generated';
import { useModel } from '../../../model/workspace/context';
import { CodeText } from '../../../widgets/code/CodeView';
import { JsonEditor } from '../../../widgets/code/JsonEditor';
import dialog from '../InputDialog.module.css';
import classes from './Sampling.module.css';

interface SamplingRequestProps {
  item: InputItem;
  /** The request as received, indented. */
  original: string;
  /** The request as the user edited it. */
  edited: string | undefined;
  /** It can no longer be answered. */
  isGone: boolean;
}

/** The whole request. What is edited here is sent to the model; the server is not told. */
export function SamplingRequest({ item, original, edited, isGone }: SamplingRequestProps) {
  const { sampling } = useModel();
  const isRunning = useStore(sampling, ({ runs }) => runs[item.id]?.state === 'running');
  const isEdited = edited !== undefined && edited !== original;
  return (
    <>
      {item.proposal !== undefined && (
        <p className={classes.proposal} role="status">
          {item.proposal.reason}
        </p>
      )}
      <h3 className={dialog.heading}>
        Request
        {isEdited && <span className={classes.dim}>edited, for the model only</span>}
        <span className={dialog.grow} />
        {isEdited && !isGone && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            onClick={() => sampling.edit(item.id, undefined)}
          >
            Reset
          </Button>
        )}
      </h3>
      <div className={dialog.json} data-request>
        {isGone || isRunning ? (
          <CodeText text={edited ?? original} language="json" height="fill" label="Request" />
        ) : (
          <JsonEditor
            value={edited ?? original}
            onChange={(next) => sampling.edit(item.id, next === original ? undefined : next)}
            label="Request"
          />
        )}
      </div>
    </>
  );
}
