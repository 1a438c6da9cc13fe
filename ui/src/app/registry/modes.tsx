import { IconKey, IconMessages, IconTool } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ServerId } from '../../contract/generated';
import { useAuthorization } from '../../model/workspace/context';
import { EXPLORE_TABS } from '../../panels/explore/tabs/tabs';
import { type LazyPart, lazyPart } from '../../widgets/failure/lazyPart';
import type { PartEntry } from '../../widgets/layout/part';
import classes from '../Shell.module.css';

export interface ModeProps {
  serverId: ServerId;
  /** The switch between the modes; it comes first in the bar. */
  lead: ReactNode;
}

export interface ModeEntry extends PartEntry<ModeProps> {
  /** Loaded ahead: half of the program is the editor and the forms, and the first paint does not wait for them. */
  Part: LazyPart<ModeProps>;
  /** Until the server is ready, the centre shows the state of its connection instead. */
  needsConnection: boolean;
}

/** What the centre can show of a server. A new mode is one entry here and one folder in `panels`. */
export const MODES: readonly ModeEntry[] = [
  {
    id: 'explore',
    title: 'Explore',
    icon: IconTool,
    Part: lazyPart(loadExplore),
    needsConnection: true,
  },
  {
    id: 'chat',
    title: 'Chat',
    icon: IconMessages,
    Part: lazyPart(async () => (await import('../../panels/chat/ChatPanel')).ChatPanel),
    needsConnection: false,
  },
  {
    id: 'authorization',
    title: 'Authorization',
    icon: IconKey,
    Badge: AuthorizationWaits,
    Part: lazyPart(
      async () => (await import('../../panels/authorization/AuthorizationPanel')).AuthorizationPanel,
    ),
    needsConnection: false,
    available: (server) =>
      server?.draft.transport.type === 'stdio'
        ? {
            disabledReason:
              'Only HTTP servers use authorization. A stdio server reads its tokens from environment variables.',
          }
        : true,
  },
];

async function loadExplore() {
  const [{ ExplorePanel }, { mountEditorStyles }] = await Promise.all([
    import('../../panels/explore/tabs/ExplorePanel'),
    import('../../widgets/code/editorStyles'),
    ...EXPLORE_TABS.map(({ Part }) => Part.preload()),
  ]);
  mountEditorStyles();
  return ExplorePanel;
}

function AuthorizationWaits({ serverId }: { serverId: ServerId }) {
  const isWaiting = useAuthorization(serverId).data?.run?.state === 'waiting';
  return isWaiting && <span className={classes.waits} role="img" aria-label="waiting for you" />;
}
