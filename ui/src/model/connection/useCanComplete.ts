import { useMemo } from 'react';
import type { ServerId } from '../../contract/generated';
import { readCapabilities } from './capabilities';
import { useConnection } from './connection';

/** Whether a server declares completions. */
export function useCanComplete(serverId: ServerId): boolean {
  const capabilities = useConnection(serverId).connection?.serverCapabilitiesJson ?? '{}';
  return useMemo(
    () => readCapabilities(capabilities)?.some(({ name }) => name === 'completions') === true,
    [capabilities],
  );
}
