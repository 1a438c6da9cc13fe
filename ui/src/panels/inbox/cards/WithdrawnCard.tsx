import { IconBan } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { WithdrawnInput } from '../../../contract/generated';
import { withdrawnBecause } from '../../../model/inbox/history';
import { kindWord } from '../../../model/inbox/inputRequest';
import classes from '../Inbox.module.css';

/** How long a withdrawn request is shown among the pending ones, in ms. The history has it afterwards. */
const SHOWN_MS = 15_000;

/** The requests that were withdrawn a moment ago. */
export function useJustWithdrawn(withdrawn: WithdrawnInput[]): WithdrawnInput[] {
  const [now, setNow] = useState(() => Date.now());
  const shown = withdrawn.filter(({ atMs }) => now - atMs < SHOWN_MS);
  const next = shown.length === 0 ? null : Math.min(...shown.map(({ atMs }) => atMs)) + SHOWN_MS;
  useEffect(() => {
    if (next === null) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), Math.max(0, next - Date.now()));
    return () => clearTimeout(timer);
  }, [next]);
  return shown;
}

/** A request that was withdrawn, and why. */
export function WithdrawnCard({ gone }: { gone: WithdrawnInput }) {
  const reason = withdrawnBecause(gone);
  return (
    <div className={classes.withdrawn} data-tip={reason} data-tip-side="right">
      <IconBan size={14} aria-hidden />
      <span className={classes.what}>
        <span className={`${classes.line} pb-ellipsis`}>
          <b>Withdrawn</b> {kindWord(gone.kind)} {gone.serverName}
        </span>
        <span className={`${classes.cause} pb-ellipsis`}>{reason}</span>
      </span>
    </div>
  );
}
