import type { Host } from './host';
import { Link } from './link';
import { openSocketHost } from './socket';
import { TauriHost } from './tauri';

/** The host of the front this page runs in. */
export async function chooseHost(): Promise<{ host: Host; link: Link }> {
  if ('__TAURI_INTERNALS__' in window) return { host: new TauriHost(), link: new Link() };
  return openSocketHost();
}
