import { useEffect, useState } from 'react';
import { useModel } from '../../workspace/context';
import { type InView, type Reading, isShort, readNow } from './requestReader';

/** What of a request is in view. While it is read again after an edit, what was in view before stays. */
export function useRequestPart(json: string, view: InView): Reading {
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
  if (isSmall) return now?.reading ?? { state: 'reading' };
  return last?.reading ?? { state: 'reading' };
}
