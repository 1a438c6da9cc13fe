import { Button } from '@mantine/core';
import { IconMessageQuestion } from '@tabler/icons-react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { ExchangeId } from '../../contract/generated';
import { requestInWords } from '../../model/inbox/inputRequest';
import { mayBelongTo } from '../../model/inbox/useCause';
import { useModel } from '../../model/workspace/context';
import classes from './PendingInputs.module.css';

/** The input that a server requests before it continues a call, each with the way to its answer. */
export function PendingInputs({ exchangeId }: { exchangeId: ExchangeId | null }) {
  const { inputs, workspace } = useModel();
  const items = useStore(
    inputs,
    useShallow((state) =>
      exchangeId === null ? [] : state.items.filter((item) => mayBelongTo(item, exchangeId)),
    ),
  );
  return items.map((item) => (
    <div key={item.id} className={classes.input} data-waits-for-user>
      <IconMessageQuestion size={14} aria-hidden />
      <span>
        {requestInWords(item)}
        {item.aboutExchange === null && item.during.length > 1 && ', possibly for this request'}
      </span>
      <Button
        variant="default"
        size="compact-xs"
        onClick={() => {
          inputs.offer(item.id);
          workspace.setState({ openInput: item.id });
        }}
      >
        Answer
      </Button>
    </div>
  ));
}
