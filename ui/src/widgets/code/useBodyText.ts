import { useEffect, useState } from 'react';
import type { BodyId, CommandError, TextBody } from '../../contract/generated';
import { useHost } from '../../model/workspace/context';
import { commandError } from '../../model/store/errors';
import { bodyOf } from '../../model/text/textOf';

/** A value that is being loaded. */
export type Loaded<T> =
  { state: 'loading' } | { state: 'ready'; value: T } | { state: 'failed'; error: CommandError };

/** Shows a value once it is loaded, or why it is not; nothing more after the function it returns. For an effect. */
export function showLoaded<T>(loading: Promise<T>, show: (result: Loaded<T>) => void): () => void {
  let wanted = true;
  loading.then(
    (value) => wanted && show({ state: 'ready', value }),
    (thrown: unknown) => wanted && show({ state: 'failed', error: commandError(thrown) }),
  );
  return () => {
    wanted = false;
  };
}

/** Loads the bytes behind an id. */
export function useBodyBytes(id: BodyId): Loaded<ArrayBuffer> {
  const host = useHost();
  const [loaded, setLoaded] = useState<{ id: BodyId; result: Loaded<ArrayBuffer> } | null>(null);
  useEffect(() => {
    const loading = bodyOf(host, id).then(({ buffer }) => buffer);
    return showLoaded(loading, (result) => setLoaded({ id, result }));
  }, [host, id]);
  return loaded?.id === id ? loaded.result : { state: 'loading' };
}

/** How many bytes are decoded within one task. */
const SLICE = 4_000_000;

/** The text of UTF-8 bytes, decoded as they come so that no task blocks the window; unfinished once it is not wanted. */
export async function decodeText(bytes: AsyncIterable<Uint8Array>, isWanted: () => boolean): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let decoded = 0;
  for await (const part of bytes) {
    if (decoded >= SLICE) {
      decoded = 0;
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    if (!isWanted()) break;
    parts.push(decoder.decode(part, { stream: true }));
    decoded += part.byteLength;
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
    decodeText(host.bodyParts(id), () => wanted).then(
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
