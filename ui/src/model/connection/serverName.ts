import type { ServerItem } from '../../contract/generated';

type Named = Pick<ServerItem, 'draft' | 'connection'>;

/** The longest name that a server can give itself in the window, in characters. */
const LONGEST = 100;

/**
 * The name of a server in the window. One that was added by its address, without a name, is called what it calls itself once it has
 * connected; until then, and where it gives no name, by the address.
 */
export function shownName({ draft, connection }: Named): string {
  if (!isNamedByAddress({ draft })) return draft.name;
  const own = (connection.server?.title ?? '').trim() || (connection.server?.name ?? '').trim();
  return own === '' ? draft.name : Array.from(own).slice(0, LONGEST).join('');
}

/** The address of a server that is shown by the name it gives itself: it could call itself like another one. */
export function addressBeside(server: Named): string | null {
  return shownName(server) === server.draft.name ? null : server.draft.name;
}

/** The name of a server where it is decided about, or told from others: with its address if it gives itself the name. */
export function fullName(server: Named): string {
  const address = addressBeside(server);
  return address === null ? shownName(server) : `${shownName(server)} (${address})`;
}

/** Whether the name is only the host and port of the address, perhaps with a number that makes it unique. */
function isNamedByAddress({ draft: { name, transport } }: Pick<Named, 'draft'>): boolean {
  if (transport.type !== 'http') return false;
  const host = URL.canParse(transport.url) ? new URL(transport.url).host : '';
  return (
    host !== '' &&
    (name === host || (name.startsWith(`${host} `) && /^\d+$/.test(name.slice(host.length + 1))))
  );
}
