import { useEffect } from 'react';
import type { CommandError, HostChange } from '../../contract/generated';
import { useModel, useUi } from '../../model/workspace/context';

/** Has the configurations of other hosts watched from which servers were imported, if the user wants that, and keeps what changed. */
export function useHostWatch(): void {
  const { host, link, workspace } = useModel();
  const isWanted = useUi(({ watchesHosts }) => watchesHosts);
  // As text, so that an equal list does not begin it again.
  const watched = useUi(({ importedHosts }) => JSON.stringify(importedHosts));

  useEffect(() => {
    const paths = JSON.parse(watched) as string[];
    if (!isWanted || paths.length === 0) return undefined;
    const handlers = {
      onEvent: (change: HostChange) =>
        workspace.setState(({ hostChanges }) => {
          const { [change.place.path]: _, ...others } = hostChanges;
          // A file in which nothing differs, or that is gone, is no news.
          return {
            hostChanges: change.differing === 0 ? others : { ...others, [change.place.path]: change },
          };
        }),
      onEnd: (error?: CommandError) => {
        // A lost engine is told elsewhere.
        if (error?.code === 'storage') workspace.setState({ hostWatchError: error });
      },
    };
    let stream = host.openStream('host_watch', { paths }, handlers);
    const stop = link.subscribe((status) => {
      if (status !== 'up') return;
      stream.close();
      stream = host.openStream('host_watch', { paths }, handlers);
    });
    return () => {
      stop();
      stream.close();
      workspace.setState({ hostChanges: {}, hostWatchError: null });
    };
  }, [host, link, workspace, isWanted, watched]);
}
