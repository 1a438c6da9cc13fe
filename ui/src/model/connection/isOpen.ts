import type { ConnectionState } from '../../contract/generated';

/** Whether there is a connection to close. */
export function isOpen(state: ConnectionState): boolean {
  switch (state) {
    case 'connecting':
    case 'authorizing':
    case 'negotiating':
    case 'ready':
      return true;
    case 'idle':
    case 'closing':
    case 'closed':
    case 'failed':
      return false;
  }
}
