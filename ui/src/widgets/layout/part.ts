import type { Icon } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { ServerId, ServerItem } from '../../contract/generated';
import type { Availability } from '../../model/workspace/commands';
import { useServerPart } from '../../model/workspace/context';

/** An entry of a registry of panels: modes of the centre, tabs of the dock, tabs of Explore. */
export interface PartEntry<P extends object> {
  /** Saved in the state of the window. */
  id: string;
  title: string;
  icon?: Icon;
  /** Shown after the title, e.g. a number. */
  Badge?: ComponentType<{ serverId: ServerId }>;
  /** The panel; with `lazyPart`, its code is loaded when it is first drawn. */
  Part: ComponentType<P>;
  /** Whether there is anything to show for a server; without one, always. */
  available?: (server: ServerItem | undefined) => Availability;
}

type Choice = Pick<PartEntry<never>, 'id' | 'available'>;

/** The entries shown for a server, in order; `disabledReason` is why one is dimmed. */
export function useShownEntries<E extends Choice>(
  entries: readonly E[],
  serverId: ServerId | null,
): { entry: E; disabledReason: string | undefined }[] {
  // A text: the server changes twenty times a second, its availabilities rarely do.
  const json = useServerPart(serverId, (server) =>
    JSON.stringify(entries.map((entry) => availabilityOf(entry, server))),
  );
  const availabilities = JSON.parse(json) as Availability[];
  return entries.flatMap((entry, i) => {
    const availability = availabilities[i] ?? true;
    if (availability === 'hidden') return [];
    return { entry, disabledReason: availability === true ? undefined : availability.disabledReason };
  });
}

/** The chosen entry; the first available one if that is unknown or not available for the server. */
export function useChosenEntry<E extends Choice>(
  entries: readonly E[],
  id: string | undefined,
  serverId: ServerId | null,
): E | undefined {
  return useServerPart(serverId, (server) => chosenEntry(entries, id, server));
}

function availabilityOf(entry: Choice, server: ServerItem | undefined): Availability {
  return entry.available?.(server) ?? true;
}

/** `useChosenEntry` outside of a component. */
export function chosenEntry<E extends Choice>(
  entries: readonly E[],
  id: string | undefined,
  server: ServerItem | undefined,
): E | undefined {
  const usable = usableEntries(entries, server);
  return usable.find((entry) => entry.id === id) ?? usable[0];
}

export function usableEntries<E extends Choice>(entries: readonly E[], server: ServerItem | undefined): E[] {
  return entries.filter((entry) => availabilityOf(entry, server) === true);
}
