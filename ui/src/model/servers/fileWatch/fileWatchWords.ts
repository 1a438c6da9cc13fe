import type { FileWatchItem, FileWatchState } from '../../../contract/generated';
import { formatCount } from '../../text/format';

/** How a state of watching looks: its glyph, and whether it is worth a sign in the list of servers. */
export interface FileWatchLook {
  status: 'ok' | 'running' | 'waiting' | 'warning' | 'failed' | 'skipped';
  /** A sign in the list of servers; null: none. */
  sign: 'building' | 'build failed' | 'not watched' | null;
}

const LOOKS: Record<FileWatchState['type'], FileWatchLook> = {
  starting: { status: 'running', sign: null },
  watching: { status: 'ok', sign: null },
  settling: { status: 'running', sign: null },
  busy: { status: 'waiting', sign: null },
  building: { status: 'running', sign: 'building' },
  buildFailed: { status: 'failed', sign: 'build failed' },
  waitingForCalls: { status: 'waiting', sign: null },
  restarting: { status: 'running', sign: null },
  looping: { status: 'warning', sign: 'not watched' },
  missing: { status: 'warning', sign: 'not watched' },
  failed: { status: 'failed', sign: 'not watched' },
  stopped: { status: 'skipped', sign: null },
};

export function fileWatchLook({ type }: FileWatchState): FileWatchLook {
  return LOOKS[type];
}

/** What happens, in one or two sentences, without the time that a build has taken. */
export function fileWatchInSentences({ state, restarts }: FileWatchItem): string {
  switch (state.type) {
    case 'starting':
      return 'Listing the folders to watch.';
    case 'watching':
      return restarts === 0
        ? 'Restarts when files change.'
        : `Restarts when files change. Restarted ${restarts === 1 ? 'once' : `${formatCount(restarts)} times`} so far.`;
    case 'settling':
      return 'Files are changing; waiting until they are quiet.';
    case 'busy':
      return 'Files have been changing for more than 10 s without a pause. The restart waits for the pause; leave out what changes all the time, or restart now.';
    case 'building':
      return 'Building.';
    case 'buildFailed':
      return 'The build failed. The server runs on as it was before the change; the next change builds again.';
    case 'waitingForCalls':
      return `Built. Waiting at most 10 s for ${formatCount(state.pending, 'pending request')}, then restarting.`;
    case 'restarting':
      return 'Restarting.';
    case 'looping':
      return `Restarting has led to the next change 5 times in a row: the server probably writes ${state.path}. Leave that path out in the settings, or restart now.`;
    case 'missing':
      return `${state.path} is missing. It is watched again when it is back.`;
    case 'failed':
      return `${state.cause} ${state.next}`;
    case 'stopped':
      return 'Files are not watched until the next connection.';
  }
}

/** What changed last, in a few words; null if nothing has. */
export function changedInWords({ changed, changedCount }: FileWatchItem): string | null {
  if (changed.length === 0) return null;
  const more = changedCount - changed.length;
  return more > 0 ? `${changed.join(', ')} and ${formatCount(more)} more` : changed.join(', ');
}
