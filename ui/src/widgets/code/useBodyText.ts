import { useEffect, useState } from 'react';
import type { BodyId, CommandError, TextBody } from '../../contract/generated';
import { useHost } from '../../model/workspace/context';
import { commandError } from '../../model/store/errors';

/** A value that is being loaded. */
export type Loaded<T> =
  { state: 'loading' } | { state: 'ready'; value: T } | { state: 'failed'; error: CommandError };

/** Loads the bytes behind an id. */
export function useBodyBytes(id: BodyId): Loaded<ArrayBuffer> {
  const host = useHost();
  const [loaded, setLoaded] = useState<{ id: BodyId; result: Loaded<ArrayBuffer> } | null>(null);
  useEffect(() => {
    let wanted = true;
    host.body(id).then(
      (value) => wanted && setLoaded({ id, result: { state: 'ready', value } }),
      (thrown: unknown) =>
        wanted && setLoaded({ id, result: { state: 'failed', error: commandError(thrown) } }),
    );
    return () => {
      wanted = false;
    };
  }, [host, id]);
  return loaded?.id === id ? loaded.result : { state: 'loading' };
}

/** How many bytes are decoded within one task. */
const SLICE = 8_000_000;

/** The text of UTF-8 bytes, decoded in slices so that no task blocks the window; unfinished once it is not wanted. */
export async function decodeText(bytes: ArrayBuffer, isWanted: () => boolean): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  for (let at = 0; at < bytes.byteLength; at += SLICE) {
    // oxlint-disable-next-line no-await-in-loop
    if (at > 0) await new Promise((resolve) => setTimeout(resolve, 0));
    if (!isWanted()) break;
    const length = Math.min(SLICE, bytes.byteLength - at);
    parts.push(decoder.decode(new Uint8Array(bytes, at, length), { stream: true }));
  }
  parts.push(decoder.decode());
  return parts.join('');
}

/** Which form of a text to show: indented (as received if it is not JSON), or as received. */
export type TextForm = 'pretty' | 'raw';

/** The text of a body, available immediately if it is inline. */
export function useBodyText(body: TextBody, form: TextForm): Loaded<string> {
  const host = useHost();
  const id = form === 'pretty' && body.pretty !== null ? body.pretty : body.body;
  const inline = id === body.body ? body.inline : null;
  const [loaded, setLoaded] = useState<{ id: BodyId; result: Loaded<string> } | null>(null);
  useEffect(() => {
    if (inline !== null) return undefined;
    let wanted = true;
    host
      .body(id)
      .then((bytes) => decodeText(bytes, () => wanted))
      .then(
        (value) => {
          if (!wanted) return;
          setLoaded({ id, result: { state: 'ready', value } });
        },
        (thrown: unknown) =>
          wanted && setLoaded({ id, result: { state: 'failed', error: commandError(thrown) } }),
      );
    return () => {
      wanted = false;
    };
  }, [host, id, inline]);
  if (inline !== null) return { state: 'ready', value: inline };
  return loaded?.id === id ? loaded.result : { state: 'loading' };
}
