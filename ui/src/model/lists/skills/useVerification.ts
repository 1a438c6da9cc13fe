import { useEffect, useState } from 'react';
import type { ExchangeOutcome } from '../../../contract/generated';
import { useHost, useModel } from '../../workspace/context';
import type { SkillFile } from './skill';
import { type Verification, verify } from './verify';

/** Whether the newest read of a file has the size and the digest that its skill lists; null while that is not known. */
export function useVerification(
  file: SkillFile | undefined,
  listed: Readonly<Record<string, unknown>> | null,
  outcome: ExchangeOutcome | null,
): Verification | null {
  const host = useHost();
  const { markdown } = useModel();
  const [done, setDone] = useState<{
    outcome: ExchangeOutcome;
    file: SkillFile;
    result: Verification;
  } | null>(null);
  useEffect(() => {
    if (file === undefined || outcome?.type !== 'result' || outcome.view.type !== 'resource')
      return undefined;
    let isWanted = true;
    verify({ host, markdown }, file, listed, outcome.view.contents)
      .catch((): Verification => ({
        matches: false,
        words: 'The contents could not be compared with the list.',
      }))
      .then((result) => {
        if (isWanted) setDone({ outcome, file, result });
      })
      .catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [host, markdown, file, listed, outcome]);
  return done !== null && done.outcome === outcome && done.file === file ? done.result : null;
}
