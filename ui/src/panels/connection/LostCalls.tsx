import { useStore } from 'zustand';
import type { ServerId } from '../../contract/generated';
import { lostWith } from '../../model/exchange/exchanges';
import { subjectOf } from '../../model/exchange/request';
import { useModel } from '../../model/workspace/context';
import { useShallow } from 'zustand/react/shallow';
import { Fact, Facts } from '../../widgets/facts/Facts';
import { RecordLink } from '../../widgets/links/RecordLink';

interface LostCallsProps {
  serverId: ServerId;
  /** When the connection ended, in ms since the epoch. */
  endedAtMs: number;
  /** The width of the column of names, in px. */
  names: number;
}

/** The requests that were running when the connection ended: one of them may be why. */
export function LostCalls({ serverId, endedAtMs, names }: LostCallsProps) {
  const { exchanges } = useModel();
  const lost = useStore(
    exchanges,
    useShallow((state) => lostWith(state, serverId, endedAtMs)),
  );
  if (lost.length === 0) return null;
  return (
    <Facts names={names}>
      <Fact name="Was running">
        {lost.map(({ id, request, requestSeq }) => (
          <div key={id}>
            <span className="pb-mono">{subjectOf(request)}</span>{' '}
            {requestSeq !== null && <RecordLink seq={requestSeq} label="Show in Traffic" />}
          </div>
        ))}
      </Fact>
    </Facts>
  );
}
