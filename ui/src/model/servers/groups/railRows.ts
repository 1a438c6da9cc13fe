import type { ServerId, ServerItem } from '../../../contract/generated';

/** The heading of a group in the list of servers. */
export interface GroupRow {
  type: 'group';
  key: string;
  group: string;
  isCollapsed: boolean;
}

/** A server in the list. One in several groups has a row in each. */
export interface ServerRow {
  type: 'server';
  key: string;
  serverId: ServerId;
  /** The group that it is shown in; null for one that is in none. */
  group: string | null;
}

export type RailRow = GroupRow | ServerRow;

/** What is shown of the servers: those without a group, then each group with its own. */
export function railRows(
  items: readonly ServerItem[],
  groups: readonly string[],
  collapsed: readonly string[],
): RailRow[] {
  const known = new Set(groups);
  const isIn = ({ draft }: ServerItem, group: string): boolean => draft.groups?.includes(group) === true;
  const rows: RailRow[] = items
    .filter(({ draft }) => draft.groups?.some((group) => known.has(group)) !== true)
    .map(({ id }) => serverRow(id, null));
  for (const group of groups) {
    const isCollapsed = collapsed.includes(group);
    rows.push({ type: 'group', key: `group ${group}`, group, isCollapsed });
    if (isCollapsed) continue;
    for (const item of items) if (isIn(item, group)) rows.push(serverRow(item.id, group));
  }
  return rows;
}

function serverRow(serverId: ServerId, group: string | null): ServerRow {
  return { type: 'server', key: group === null ? serverId : `${serverId} ${group}`, serverId, group };
}

/** The servers of a group, in the order of the list. */
export function serversOf(items: readonly ServerItem[], group: string): ServerItem[] {
  return items.filter(({ draft }) => draft.groups?.includes(group) === true);
}

/** The servers that a server is listed with: those of its groups, or without a group, itself among them. */
export function peersOf(items: readonly ServerItem[], serverId: ServerId): ServerItem[] {
  const groups = items.find(({ id }) => id === serverId)?.draft.groups ?? [];
  return items.filter(({ draft: { groups: others = [] } }) =>
    groups.length === 0 ? others.length === 0 : others.some((group) => groups.includes(group)),
  );
}

/** What dropping a row does. */
export type Drop =
  | { type: 'groups'; groups: string[] }
  | {
      type: 'server';
      serverId: ServerId;
      /** The groups it is in from now on; null if they stay. */
      groups: string[] | null;
      /** All servers in their new order; null if it stays. */
      order: ServerId[] | null;
    };

/**
 * What it does to drop row `from` at row `to`: behind it if it comes from above, else before it. A server moves within a group, or to
 * another: it leaves the group that it was dragged from. Null if nothing changes.
 */
export function dropOf(
  rows: readonly RailRow[],
  items: readonly ServerItem[],
  groups: readonly string[],
  { from, to }: { from: number; to: number },
): Drop | null {
  const moved = rows[from];
  if (moved === undefined || rows[to] === undefined || from === to) return null;
  if (moved.type === 'group') return dropGroup(rows, groups, moved.group, from, to);
  const others = rows.filter((row) => row !== moved);
  // Where it is now: the row above it decides about its group, the next server in that group about its place.
  const above = others[to - 1];
  const group = above === undefined ? null : above.group;
  const below = others[to];
  const server = items.find(({ id }) => id === moved.serverId);
  if (server === undefined) return null;
  const inGroups = server.draft.groups ?? [];
  const changed = group === moved.group ? null : exchanged(inGroups, moved.group, group);
  const before = below?.type === 'server' && below.group === group ? below.serverId : null;
  const after = above?.type === 'server' ? above.serverId : null;
  const order = orderOf(items, moved.serverId, before, after);
  return changed === null && order === null
    ? null
    : { type: 'server', serverId: moved.serverId, groups: changed, order };
}

function dropGroup(
  rows: readonly RailRow[],
  groups: readonly string[],
  moved: string,
  from: number,
  to: number,
): Drop | null {
  const target = rows[to]?.group ?? null;
  if (target === moved) return null;
  const others = groups.filter((group) => group !== moved);
  const at = target === null ? 0 : others.indexOf(target) + (to > from ? 1 : 0);
  const order = others.toSpliced(at, 0, moved);
  return order.every((group, i) => group === groups[i]) ? null : { type: 'groups', groups: order };
}

/** The groups without one and with another. */
function exchanged(groups: readonly string[], without: string | null, added: string | null): string[] {
  const kept = groups.filter((group) => group !== without && group !== added);
  return added === null ? kept : [...kept, added];
}

/** The order in which a server is directly before or after another one; null if that is so. */
function orderOf(
  items: readonly ServerItem[],
  moved: ServerId,
  before: ServerId | null,
  after: ServerId | null,
): ServerId[] | null {
  const ids = items.map(({ id }) => id);
  const others = ids.filter((id) => id !== moved);
  const anchor = before ?? after;
  if (anchor === null || anchor === moved) return null;
  const order = others.toSpliced(others.indexOf(anchor) + (before === null ? 1 : 0), 0, moved);
  return order.every((id, i) => id === ids[i]) ? null : order;
}

/** What is wrong with the name of a group; null if nothing. `taken`: the names of the other groups. */
export function groupNameProblem(given: string, taken: readonly string[]): string | null {
  const name = given.trim();
  if (name === '') return 'Enter a name.';
  if (Array.from(name).length > 100) return 'At most 100 characters.';
  const lower = name.toLowerCase();
  return taken.some((other) => other.toLowerCase() === lower) ? 'Another group has this name.' : null;
}
