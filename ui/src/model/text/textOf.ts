import type { BodyId, TextBody } from '../../contract/generated';
import type { Host } from '../../host/host';

/** The complete text: immediately if inline, otherwise fetched. */
export async function textOf(host: Host, { inline, body }: TextBody): Promise<string> {
  return inline ?? new TextDecoder().decode(await bodyOf(host, body));
}

/** The bytes behind an id, all of them. Rejects with a `CommandFailure`. */
export async function bodyOf(host: Pick<Host, 'bodyParts'>, id: BodyId): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of host.bodyParts(id)) {
    parts.push(part);
    length += part.byteLength;
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}
