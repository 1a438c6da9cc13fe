import { useMemo } from 'react';
import type { InputItem } from '../../contract/generated';
import { type CheckState, useCheck } from '../form/check/useCheck';
import { type AnswerCheck, checkAnswer } from './inputAnswer';

/** An answer, checked; the content of an elicitation also against the schema of the server. */
export type CheckedAnswer = AnswerCheck & {
  /** The check against the schema of the server. */
  ofContent: CheckState;
};

/** Checks an answer whenever it changes. */
export function useAnswerCheck(item: Pick<InputItem, 'kind' | 'paramsJson'>, text: string): CheckedAnswer {
  const { kind, paramsJson } = item;
  const check = useMemo(() => checkAnswer({ kind, paramsJson }, text), [kind, paramsJson, text]);
  const content = check.type === 'object' ? check.content : null;
  const ofContent = useCheck(content?.schemaJson ?? null, content?.valueJson ?? null);
  if (check.type === 'broken') return { ...check, ofContent };
  const problems = ofContent.problems.map((each) => ({ ...each, pointer: `/content${each.pointer}` }));
  return { ...check, problems: [...check.problems, ...problems], ofContent };
}
