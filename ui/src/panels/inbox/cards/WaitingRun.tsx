import { IconKey } from '@tabler/icons-react';
import type { RunItem, ServerId } from '../../../contract/generated';
import { waitingWords } from '../../../model/authorization/authorizationWords';
import { useActions } from '../../../model/workspace/actions';
import { useMode, useServerName, useUi } from '../../../model/workspace/context';
import { Elapsed } from '../../../widgets/status/RecordStatus';
import classes from '../Inbox.module.css';

/** An authorization that waits for the user. */
export function WaitingRun({ serverId, run }: { serverId: ServerId; run: RunItem }) {
  const actions = useActions();
  const name = useServerName(serverId) ?? '';
  const isSelected = useUi(({ selectedServer }) => selectedServer === serverId);
  const isShown = useMode(serverId) === 'authorization' && isSelected;
  const since = run.steps.find(({ state }) => state === 'waiting')?.startedAtMs ?? run.startedAtMs;
  return (
    <button
      type="button"
      className={classes.card}
      data-entry
      aria-current={isShown || undefined}
      aria-label={`${name} needs authorization: ${waitingWords(run)}`}
      data-selected={isSelected || undefined}
      onClick={() => actions.show(serverId, 'authorization')}
    >
      <IconKey size={16} color="var(--pb-warn)" aria-hidden style={{ flex: 'none' }} />
      <span className={classes.what}>
        <span className={`${classes.line} pb-ellipsis`}>
          <b>Authorization</b> {name}
        </span>
        <span className={`${classes.cause} pb-ellipsis`}>{waitingWords(run)}</span>
      </span>
      <span className={`${classes.timer} pb-num`} aria-hidden>
        <Elapsed sinceAtMs={since} />
      </span>
    </button>
  );
}
