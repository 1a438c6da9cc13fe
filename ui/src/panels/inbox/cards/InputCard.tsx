import { useStore } from 'zustand';
import type { InputItem } from '../../../contract/generated';
import { kindWord, requestInWords } from '../../../model/inbox/inputRequest';
import { heldWords } from '../../../model/servers/simulator';
import { callEndInWords, useCauseInWords } from '../../../model/inbox/useCause';
import { useModel, useUi, useWorkspace } from '../../../model/workspace/context';
import { Elapsed, Remaining } from '../../../widgets/status/RecordStatus';
import classes from '../Inbox.module.css';
import { KindGlyph } from '../KindGlyph';

interface InputCardProps {
  item: InputItem;
  /** Its place in the queue, from 1. */
  place: number;
  count: number;
}

/** A pending request: what is requested, by which server, during which call, and for how long. */
export function InputCard({ item, place, count }: InputCardProps) {
  const { inputs, workspace } = useModel();
  const isOpen = useWorkspace(({ openInput }) => openInput === item.id);
  const isSelected = useUi(({ selectedServer }) => selectedServer === item.serverId);
  const hasDraft = useInputDraft(item);
  const cause = useCauseInWords(item);
  const during = cause === null ? '' : `, during ${cause}`;
  const where = count > 1 ? `, ${place} of ${count}` : '';
  const end = callEndInWords(item);
  const answersAtMs = item.simulated?.answersAtMs ?? null;
  return (
    <button
      type="button"
      className={classes.card}
      data-entry
      aria-current={isOpen || undefined}
      aria-label={`${requestInWords(item)}${during}${where}${end === null ? '' : `. ${end}`}`}
      data-tip={cause === null ? undefined : [cause, ...(end === null ? [] : [end])].join('. ')}
      data-tip-side="right"
      data-selected={isSelected || undefined}
      onClick={() => {
        inputs.offer(item.id);
        workspace.setState({ openInput: item.id });
      }}
    >
      <KindGlyph kind={item.kind} />
      <span className={classes.what}>
        <span className={`${classes.line} pb-ellipsis`}>
          <b>{kindWord(item.kind)}</b> {item.serverName}
        </span>
        <span
          className={`${classes.cause} pb-ellipsis`}
          data-simulated={item.simulated !== undefined || undefined}
        >
          {hasDraft && 'Draft · '}
          {item.simulated !== undefined
            ? heldWords(item.simulated)
            : [...(end === null ? [] : [end]), cause ?? item.method].join(' · ')}
        </span>
      </span>
      {/* Hidden from screen readers, which would read ten numbers a second. */}
      <span className={`${classes.timer} pb-num`} aria-hidden>
        {answersAtMs === null ? (
          <Elapsed sinceAtMs={item.waitingSinceMs} />
        ) : (
          <Remaining untilAtMs={answersAtMs} />
        )}
        {count > 1 && (
          <span className={classes.place}>
            {place} of {count}
          </span>
        )}
      </span>
    </button>
  );
}

/** Whether the user has begun an answer. */
function useInputDraft(item: InputItem): boolean {
  const { inputs } = useModel();
  return useStore(inputs, ({ drafts }) => drafts[item.id] !== undefined);
}
