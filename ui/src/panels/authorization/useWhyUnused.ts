import type { ServerId } from '../../contract/generated';
import { whyUnused } from '../../model/authorization/authorizationWords';
import { useServerPart } from '../../model/workspace/context';

/** Why a token of this server is neither requested nor used; null if it is. */
export function useWhyUnused(serverId: ServerId): string | null {
  return useServerPart(serverId, (server) => (server === undefined ? null : whyUnused(server.draft)));
}
