import { IconChevronLeft, IconChevronRight, IconX } from '@tabler/icons-react';
import { useDeferredValue, useId, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { InputId } from '../../contract/generated';
import { type RequestEnd, endOf } from '../../model/inbox/history';
import { requestInWords } from '../../model/inbox/inputRequest';
import { isLarge } from '../../model/inbox/request/params';
import { AT_THE_END, isShort } from '../../model/inbox/request/requestReader';
import { useRequestPart } from '../../model/inbox/request/useRequestPart';
import { formatCount, formatSize } from '../../model/text/format';
import { useModel } from '../../model/workspace/context';
import { Waiting } from '../../widgets/status/Waiting';
import { IconButton } from '../../widgets/controls/IconButton';
import classes from './InputDialog.module.css';
import { KindGlyph } from './KindGlyph';
import { Request, type RequestProps } from './request/Request';

interface InputDialogProps {
  inputId: InputId;
  onClose: () => void;
}

/**
 * A request of a server and the answer to it, in a pane beside the call it belongs to. Closed without an answer, the request
 * stays pending and the draft is kept.
 */
export function InputDialog({ inputId, onClose }: InputDialogProps) {
  const { inputs } = useModel();
  const present = useStore(inputs, ({ items }) => items.find(({ id }) => id === inputId));
  const withdrawn = useStore(inputs, (state) => state.withdrawn);
  const answered = useStore(inputs, (state) => state.answered);
  const titleId = useId();
  // A request that no longer waits stays readable.
  const [item, setItem] = useState(present);
  if (present !== undefined && present !== item) setItem(present);
  const found = useMemo(
    () => (item === undefined ? null : endOf(item, { withdrawn, answered })),
    [item, withdrawn, answered],
  );
  // So does how it ended, when the list of the withdrawn ones is cleared.
  const [end, setEnd] = useState(found);
  if (found !== null && found !== end) setEnd(found);

  // After "Later" the next request does not open automatically.
  const later = (): void => {
    for (const { id } of inputs.getState().items) inputs.offer(id);
    onClose();
  };

  return (
    <section className={classes.pane} role="dialog" aria-labelledby={titleId}>
      <header className={classes.header}>
        <h2 id={titleId} className={classes.title}>
          {item === undefined ? (
            'Server request'
          ) : (
            <>
              <KindGlyph kind={item.kind} size={18} />
              <span className="pb-ellipsis">{requestInWords(item)}</span>
            </>
          )}
        </h2>
        <QueuePlace inputId={inputId} />
        <IconButton icon={IconX} label="Later (the request stays pending)" data-tip="Later" onClick={later} />
      </header>
      <div className={classes.body}>
        {item === undefined ? (
          <p className={classes.gone}>This request no longer exists.</p>
        ) : (
          <ReadRequest
            key={item.id}
            item={item}
            gone={present === undefined ? (end ?? UNKNOWN) : null}
            onClose={onClose}
            onLater={later}
          />
        )}
      </div>
    </section>
  );
}

/** Also while the history does not have the answer yet. */
const UNKNOWN: RequestEnd = { heading: 'No longer pending', reason: '' };

/** A request, once its params are read: large ones are read in the background, and those in between are drawn there. */
function ReadRequest(props: RequestProps) {
  const { paramsJson } = props.item;
  const isDrawn = useDeferredValue(true, isShort(paramsJson));
  if (isLarge(paramsJson)) return <LargeRequest {...props} />;
  return isDrawn ? <Request {...props} /> : <Waiting text="Loading request…" />;
}

function LargeRequest(props: RequestProps) {
  const { paramsJson } = props.item;
  const { state } = useRequestPart(paramsJson, AT_THE_END).part;
  // Deferred, it is drawn in steps.
  const isRead = useDeferredValue(state !== 'reading', false);
  if (!isRead) return <Waiting text={`Reading ${formatSize(paramsJson.length)}…`} />;
  return <Request {...props} />;
}

/** The place of a request among those that wait, with the way to its neighbours. */
function QueuePlace({ inputId }: { inputId: InputId }) {
  const { inputs, workspace } = useModel();
  const items = useStore(inputs, (state) => state.items);
  const at = items.findIndex(({ id }) => id === inputId);
  const show = (place: number): void => {
    const next = items[place];
    if (next === undefined) return;
    inputs.offer(next.id);
    workspace.setState({ openInput: next.id });
  };
  if (items.length < 2 && at >= 0) return null;
  if (items.length === 0) return null;
  return (
    <span className={`${classes.queue} pb-num`}>
      <IconButton
        icon={IconChevronLeft}
        label="Previous request"
        size={22}
        disabled={at <= 0}
        onClick={() => show(at - 1)}
      />
      <span>
        {at < 0 ? formatCount(items.length, 'request') : `${at + 1} of ${formatCount(items.length)}`}
      </span>
      <IconButton
        icon={IconChevronRight}
        label="Next request"
        size={22}
        disabled={at === items.length - 1}
        onClick={() => show(at + 1)}
      />
    </span>
  );
}
