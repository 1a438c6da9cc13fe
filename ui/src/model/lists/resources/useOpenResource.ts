import type { ServerId } from '../../../contract/generated';
import { useActions } from '../../workspace/actions';
import { useModel } from '../../workspace/context';

/** Shows a resource of a server in Resources, whether or not it is in the list. Sends nothing. */
export function useOpenResource(): (serverId: ServerId, uri: string) => void {
  const { ui, resourceViews } = useModel();
  const { show } = useActions();
  return (serverId, uri) => {
    resourceViews.change(serverId, { layout: 'tree' });
    resourceViews.select(serverId, { type: 'resource', uri, index: -1 });
    ui.setState({ exploreTab: 'resources' });
    show(serverId, 'explore');
  };
}
