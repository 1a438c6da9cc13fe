import { Button } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBan,
  IconCircleCheck,
  IconClock,
  IconPlugConnectedX,
  type Icon,
} from '@tabler/icons-react';
import { formatCount, formatTime } from '../../../model/text/format';
import {
  type Subscription,
  filterInWords,
  subscriptionWord,
} from '../../../model/lists/subscriptions/subscriptions';
import { Fact, Facts } from '../../../widgets/facts/Facts';
import { RecordLink } from '../../../widgets/links/RecordLink';
import classes from './subscriptions.module.css';

interface SubscriptionViewProps {
  subscription: Subscription;
  onClose: () => void;
}

/** One subscription: what was granted, its notifications, how it ended. */
export function SubscriptionView({ subscription, onClose }: SubscriptionViewProps) {
  const { filter, granted, refused, notifications, ended, openedAtMs, seq, acknowledgedSeq } = subscription;
  const { icon: Glyph, color } = lookOf(subscription);
  const count = notifications.reduce((sum, each) => sum + each.count, 0);
  return (
    <article className={classes.subscription} aria-label={`Subscription to ${filterInWords(filter)}`}>
      <header className={classes.head}>
        <Glyph size={16} color={color} aria-hidden />
        <b>{subscriptionWord(subscription)}</b>
        <span className={`${classes.dim} pb-num`}>since {formatTime(openedAtMs).slice(0, 8)}</span>
        <span className={`${classes.dim} pb-num`}>{formatCount(count, 'notification')}</span>
        <span className="pb-grow" />
        {seq !== null && <RecordLink seq={seq} label="Request" />}
        {ended === null && (
          <Button variant="default" size="compact-xs" onClick={onClose}>
            End
          </Button>
        )}
      </header>
      <Facts names={88}>
        <Fact name="Requested">{filterInWords(filter)}</Fact>
        {granted !== null && (
          <Fact name="Granted">
            {filterInWords(granted)}
            {acknowledgedSeq !== null && <RecordLink seq={acknowledgedSeq} label="Acknowledged" />}
          </Fact>
        )}
        {refused.length > 0 && (
          <Fact name="Not granted" className={classes.warn}>
            <IconAlertTriangle size={13} aria-hidden /> {refused.join(', ')}
          </Fact>
        )}
        {ended !== null && (
          <Fact name="End">
            {ended.reason}
            {ended.seq !== null && <RecordLink seq={ended.seq} label="Show in Traffic" />}
          </Fact>
        )}
      </Facts>
      {notifications.length > 0 && (
        <table className={classes.notifications} aria-label="Notifications">
          <tbody>
            {notifications.map((each) => (
              <tr key={`${each.method} ${each.subject}`}>
                <td className="pb-mono">{each.method}</td>
                <td className="pb-mono">{each.subject}</td>
                <td className="pb-num">{formatCount(each.count)}</td>
                <td>
                  <RecordLink seq={each.seq} label="Newest" />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </article>
  );
}

function lookOf({ granted, ended }: Subscription): { icon: Icon; color: string } {
  if (ended === null) {
    return granted === null
      ? { icon: IconClock, color: 'var(--pb-warn)' }
      : { icon: IconCircleCheck, color: 'var(--pb-ok)' };
  }
  switch (ended.end) {
    case 'abrupt':
      return { icon: IconPlugConnectedX, color: 'var(--pb-error)' };
    case 'refused':
      return { icon: IconBan, color: 'var(--pb-error)' };
    case 'graceful':
    case 'cancelled':
      return { icon: IconBan, color: 'var(--pb-off)' };
  }
}
