import type { TextBody } from '../../contract/generated';
import { type Host, bodyOf } from '../../host/host';

/** The complete text: immediately if inline, otherwise fetched. */
export async function textOf(host: Host, { inline, body }: TextBody): Promise<string> {
  return inline ?? new TextDecoder().decode(await bodyOf(host, body));
}
