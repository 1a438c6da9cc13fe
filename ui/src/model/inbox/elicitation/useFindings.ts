import { useEffect, useMemo, useState } from 'react';
import { useModel } from '../../workspace/context';
import { isShort } from '../request/requestReader';
import type { JsonObject } from '../../text/json';
import { type FormFindings, findingsOf } from './formRequest';

/** What to warn of in a request for a form: `reading` until a worker has looked through a long one, `unknown` if it could not. */
export type Findings = FormFindings | 'reading' | 'unknown';

/** What to warn of in a request for a form. */
export function useFindings(paramsJson: string, params: JsonObject): Findings {
  const { requestReader } = useModel();
  const short = useMemo(() => (isShort(paramsJson) ? findingsOf(params) : null), [paramsJson, params]);
  const [long, setLong] = useState<{ paramsJson: string; findings: Findings } | null>(null);
  const isLong = short === null;
  useEffect(() => {
    if (!isLong) return undefined;
    const controller = new AbortController();
    void requestReader.look(paramsJson, controller.signal).then((findings) => {
      if (!controller.signal.aborted) setLong({ paramsJson, findings: findings ?? 'unknown' });
    });
    return () => controller.abort();
  }, [requestReader, paramsJson, isLong]);
  return short ?? (long?.paramsJson === paramsJson ? long.findings : 'reading');
}
