import { Button } from '@mantine/core';
import { IconBell, IconBellOff } from '@tabler/icons-react';
import { useStore } from 'zustand';
import type { ServerId } from '../../../contract/generated';
import { refusalOf, subscriptionTo } from '../../../model/lists/resources/resourceChanges';
import { isAlone, noSubscriptions, tellsAbout } from '../../../model/lists/subscriptions/subscriptions';
import { useModel, useServerPart } from '../../../model/workspace/context';

/** Subscribes to updates of one resource, or ends that. */
export function SubscribeButton({ serverId, uri }: { serverId: ServerId; uri: string }) {
  const { subscriptions } = useModel();
  const isReady = useServerPart(serverId, (server) => server?.connection.state === 'ready');
  const subscription = useStore(subscriptions, (all) =>
    subscriptionTo(all[serverId] ?? noSubscriptions, uri),
  );
  // One that asks for this resource alone can be ended here also if the server does not grant it.
  const isOpen =
    subscription !== undefined &&
    (tellsAbout(subscription, uri) || (subscription.ended === null && isAlone(subscription, uri)));
  const toggle = (): void => {
    if (isOpen) {
      subscriptions.leave(serverId, subscription.id, uri);
      return;
    }
    subscriptions.open(serverId, {
      toolsListChanged: false,
      promptsListChanged: false,
      resourcesListChanged: false,
      resourceUris: [uri],
      taskIds: [],
    });
  };
  return (
    <Button
      variant="default"
      disabled={!isReady && !isOpen}
      leftSection={isOpen ? <IconBellOff size={14} /> : <IconBell size={14} />}
      onClick={toggle}
    >
      {isOpen ? 'Unsubscribe' : 'Subscribe'}
    </Button>
  );
}

/** Why there is no subscription although one was requested; nothing if all is well. */
export function SubscriptionProblem({
  serverId,
  uri,
  className,
}: {
  serverId: ServerId;
  uri: string;
  className?: string | undefined;
}) {
  const { subscriptions } = useModel();
  const subscription = useStore(subscriptions, (all) =>
    subscriptionTo(all[serverId] ?? noSubscriptions, uri),
  );
  if (subscription === undefined) return null;
  const { ended } = subscription;
  const refusal = refusalOf(subscription, uri);
  const text =
    ended !== null && ended.end !== 'cancelled'
      ? `Subscription ended. ${ended.reason}`
      : refusal === null
        ? null
        : `Not granted: ${refusal}`;
  return text === null ? null : (
    <p className={className} role="status">
      {text}
    </p>
  );
}
