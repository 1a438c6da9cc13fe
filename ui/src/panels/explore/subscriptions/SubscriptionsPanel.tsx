import { Button } from '@mantine/core';
import { useStore } from 'zustand';
import type { ServerId } from '../../../contract/generated';
import { useModel, useServerPart } from '../../../model/workspace/context';
import { noSubscriptions } from '../../../model/lists/subscriptions/subscriptions';
import { EmptyState } from '../../../widgets/layout/EmptyState';
import { SubscriptionForm } from './SubscriptionForm';
import { SubscriptionView } from './SubscriptionView';
import classes from './subscriptions.module.css';

/** The subscriptions to changes of a server, and the notifications they brought. */
export function SubscriptionsPanel({ serverId }: { serverId: ServerId }) {
  const { subscriptions } = useModel();
  const all = useStore(subscriptions, (state) => state[serverId] ?? noSubscriptions);
  const era = useServerPart(serverId, (server) => server?.connection.era ?? null);
  const hasEnded = all.some(({ ended }) => ended !== null);
  return (
    <div className={classes.panel}>
      <SubscriptionForm
        serverId={serverId}
        era={era}
        onOpen={(filter) => subscriptions.open(serverId, filter)}
      />
      <section className={classes.list} aria-label="Subscriptions">
        {all.length === 0 ? (
          <EmptyState
            title="No subscriptions"
            text={
              era === 'modern'
                ? 'Choose what to subscribe to. subscriptions/listen opens a stream that stays open.'
                : 'Choose what to subscribe to. Each resource is subscribed to separately; servers announce changed lists without a subscription.'
            }
          />
        ) : (
          <>
            {hasEnded && (
              <div className={classes.bar}>
                <Button
                  variant="subtle"
                  color="gray"
                  size="compact-xs"
                  onClick={() => subscriptions.forgetEnded(serverId)}
                >
                  Clear ended
                </Button>
              </div>
            )}
            {all.map((subscription) => (
              <SubscriptionView
                key={subscription.id}
                subscription={subscription}
                onClose={() => subscriptions.close(serverId, subscription.id)}
              />
            ))}
          </>
        )}
      </section>
    </div>
  );
}
