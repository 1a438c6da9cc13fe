import type { CommandError, ServerId } from '../../contract/generated';
import type { AppEvents } from '../workspace/appEvents';
import { commandError } from './errors';

/**
 * Pulls something of a server: when asked, and from then on whenever the engine reports a change of it. `keep` gets what was
 * pulled last, or why it could not be.
 *
 * The returned function resolves once what is known is at least as new as the call: a pull that a later one overtook is
 * dropped, and its caller waits for the later one.
 */
export function serverLoads<Part>(
  events: AppEvents,
  topic: 'toolDefinitions' | 'serverChanges',
  pull: (serverId: ServerId) => Promise<Part>,
  keep: (serverId: ServerId, part: Part | { error: CommandError }) => void,
): (serverId: ServerId) => Promise<void> {
  const newest = new Map<ServerId, Promise<void>>();

  function load(serverId: ServerId): Promise<void> {
    const pulled = pull(serverId).catch((thrown: unknown) => ({ error: commandError(thrown) }));
    const loaded: Promise<void> = pulled.then((part) => {
      const later = newest.get(serverId);
      if (later !== loaded) return later;
      keep(serverId, part);
      return undefined;
    });
    newest.set(serverId, loaded);
    return loaded;
  }

  events.subscribe(topic, ({ serverId }) => {
    if (serverId !== null && newest.has(serverId)) void load(serverId);
  });
  events.onResync(() => {
    for (const serverId of newest.keys()) void load(serverId);
  });
  return load;
}
