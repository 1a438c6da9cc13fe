import { useEffect, useState } from 'react';
import { useModel } from '../../workspace/context';
import { type InView, type Reading, isShort, readNow } from './requestReader';

const READING: Reading = { state: 'reading' };

/** What of a request is in view, and the text it was read of. */
export interface PartOf {
  part: Reading;
  of: string;
}

/** What of a request is in view. While it is read again after an edit, what was in view before stays. */
export function useRequestPart(json: string, view: InView): PartOf {
  const { requestReader } = useModel();
  const [last, setLast] = useState<{ json: string; view: InView; reading: Reading } | null>(null);
  const [small, setSmall] = useState<{ json: string; view: InView; reading: Reading } | null>(null);
  const isSmall = isShort(json);
  let now = small;
  if (isSmall && (now?.json !== json || now.view !== view)) {
    now = { json, view, reading: readNow(json, view) };
    setSmall(now);
  }
  useEffect(() => {
    if (isSmall) return undefined;
    const controller = new AbortController();
    void requestReader.read(json, view, controller.signal).then((reading) => {
      if (!controller.signal.aborted) setLast({ json, view, reading });
    });
    return () => controller.abort();
  }, [requestReader, isSmall, json, view]);
  const read = isSmall ? now : last;
  return { part: read?.reading ?? READING, of: read?.json ?? json };
}
