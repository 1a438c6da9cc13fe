import { Button } from '@mantine/core';
import { useStore } from 'zustand';
import type { ServerId } from '../../../contract/generated';
import { useModel, useServerPart } from '../../../model/workspace/context';
import { noSubscriptions } from '../../../model/subscriptions/subscriptions';
import { EmptyState } from '../../../widgets/layout/EmptyState';
import { SubscriptionForm } from './SubscriptionForm';
import { SubscriptionView } from './SubscriptionView';
import classes from './subscriptions.module.css';

/** What the server is asked to tell of, and what it told. */
export function SubscriptionsPanel({ serverId }: { serverId: ServerId }) {
  const { subscriptions } = useModel();
  const all = useStore(subscriptions, (state) => state[serverId] ?? noSubscriptions);
  const era = useServerPart(serverId, (server) => server?.connection.era ?? null);
  const hasEnded = all.some(({ ended }) => ended !== null);
  return (
    <div className={classes.panel}>
      <SubscriptionForm era={era} onOpen={(filter) => subscriptions.open(serverId, filter)} />
      <section className={classes.list} aria-label="Subscriptions">
        {all.length === 0 ? (
          <EmptyState
            title="No subscription"
            text={
              era === 'modern'
                ? 'Choose what to be told of and open one: subscriptions/listen, a stream that stays open.'
                : 'Choose what to be told of and open one. Resources are subscribed to one by one; changed lists the server tells by itself.'
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
                  Forget those that ended
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
