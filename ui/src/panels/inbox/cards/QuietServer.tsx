import { useState } from 'react';
import { useStore } from 'zustand';
import type { CommandError, InputItem, ServerId } from '../../../contract/generated';
import { OPENED_A_MINUTE } from '../../../model/inbox/inputs';
import { quickAnswers, skeletonOf } from '../../../model/inbox/inputAnswer';
import { commandError } from '../../../model/store/errors';
import { formatCount } from '../../../model/text/format';
import { useModel } from '../../../model/workspace/context';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { LinkButton } from '../../../widgets/links/LinkButton';
import classes from '../Inbox.module.css';

/** A server that sends so many requests that they no longer open automatically, and what can be done about all of them. */
export function QuietServer({ serverId, items }: { serverId: ServerId; items: InputItem[] }) {
  const { inputs } = useModel();
  const [error, setError] = useState<CommandError | null>(null);
  const name = items[0]?.serverName ?? '';
  const drafts = useStore(inputs, (state) => state.drafts);
  /** An answer that the user has begun is not discarded without a question, which its dialog asks. */
  const isBegun = (item: InputItem): boolean => {
    const draft = drafts[item.id];
    return draft !== undefined && draft !== skeletonOf(item);
  };
  const count = items.filter((item) => !isBegun(item)).length;
  const declineAll = (): void => {
    inputs
      .answerAll(serverId, (item) => (isBegun(item) ? undefined : quickAnswers(item)[0]?.answer))
      .catch((thrown: unknown) => setError(commandError(thrown)));
  };
  return (
    <div className={classes.quiet} role="status">
      <span>
        {name} sent more than {OPENED_A_MINUTE} requests within a minute. They wait here and no longer open
        automatically.
      </span>
      <span className={classes.quietTools}>
        {count > 0 && <LinkButton onClick={declineAll}>Decline all {formatCount(count)}</LinkButton>}
        <LinkButton onClick={() => inputs.unquiet(serverId)}>Open them again</LinkButton>
      </span>
      {error !== null && <CommandAlert error={error} onClose={() => setError(null)} />}
    </div>
  );
}
