import { Button } from '@mantine/core';
import type { ResourceItem, ServerId } from '../../../contract/generated';
import { useModel } from '../../../model/workspace/context';
import type { ServerList } from '../../../model/lists/serverList';
import { EmptyState } from '../../../widgets/layout/EmptyState';

/** Why there are neither resources nor templates. */
export function NothingListed({ serverId, list }: { serverId: ServerId; list: ServerList<ResourceItem> }) {
  const { resources, resourceTemplates } = useModel();
  if (!list.known || list.error !== null) return null;
  const request = (): void => {
    void resources.load(serverId, true);
    void resourceTemplates.load(serverId, true);
  };
  return (
    <EmptyState
      title={list.supported ? 'No resources' : 'Resources not supported'}
      text={
        list.supported
          ? 'Its lists of resources and templates are empty.'
          : 'It does not declare the resources capability, so they were not requested.'
      }
    >
      <Button variant="default" loading={list.loading} onClick={request}>
        {list.supported ? 'Refresh' : 'Request anyway'}
      </Button>
    </EmptyState>
  );
}
