import { useModel } from '../../workspace/context';

/** Shows a resource of the selected server in Resources, whether or not it is in the list. Sends nothing. */
export function useOpenResource(): (uri: string) => void {
  const { ui, resourceViews } = useModel();
  return (uri) => {
    const serverId = ui.getState().selectedServer;
    if (serverId === null) return;
    resourceViews.change(serverId, { layout: 'tree' });
    resourceViews.select(serverId, { type: 'resource', uri, index: -1 });
    ui.setState({ exploreTab: 'resources' });
  };
}
