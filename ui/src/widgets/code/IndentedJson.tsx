import { useEffect, useMemo, useState } from 'react';
import { indentJson } from '../../model/text/json';
import { useModel } from '../../model/workspace/context';
import { Waiting } from '../status/Waiting';
import { CodeText, type CodeTextProps } from './CodeView';

/** Longer texts are indented in the background, in characters. */
const AT_ONCE = 50_000;

/** JSON text, indented; as it is if it is not JSON, or takes too long to indent. */
export function IndentedJson({ text, ...rest }: Omit<CodeTextProps, 'language'>) {
  const indented = useIndented(text);
  if (indented === null) return <Waiting text="Indenting…" />;
  return <CodeText {...rest} text={indented} language="json" />;
}

/** The indented text; null while that takes place. */
export function useIndented(text: string): string | null {
  const { indentInBackground } = useModel();
  const isLong = text.length > AT_ONCE;
  const atOnce = useMemo(() => (isLong ? null : indentJson(text)), [isLong, text]);
  const [done, setDone] = useState<{ text: string; indented: string } | null>(null);
  useEffect(() => {
    if (!isLong) return undefined;
    const controller = new AbortController();
    void indentInBackground(text, controller.signal).then((indented) => {
      if (!controller.signal.aborted) setDone({ text, indented });
    });
    return () => controller.abort();
  }, [indentInBackground, isLong, text]);
  return atOnce ?? (done?.text === text ? done.indented : null);
}
