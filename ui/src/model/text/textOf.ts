import type { TextBody } from '../../contract/generated';
import type { Host } from '../../host/host';

/** All of a text: at once if it is inline, else fetched. */
export async function textOf(host: Host, { inline, body }: TextBody): Promise<string> {
  return inline ?? new TextDecoder().decode(await host.body(body));
}
