import { useLayoutEffect, useMemo, useRef } from 'react';
import { terminalParts } from '../../model/text/terminal';
import { TerminalText } from '../text/TerminalText';
import classes from './FileWatch.module.css';

/** What a build printed. Follows its end, unless one has scrolled away from there. */
export function BuildOutput({ text }: { text: string }) {
  const place = useRef<HTMLPreElement>(null);
  const follows = useRef(true);
  const parts = useMemo(() => terminalParts(text), [text]);
  useLayoutEffect(() => {
    if (place.current !== null && follows.current) place.current.scrollTop = place.current.scrollHeight;
  }, [text]);
  return (
    <pre
      ref={place}
      className={`${classes.output} pb-selectable`}
      role="region"
      aria-label="Output of the build"
      // It scrolls, so that the keyboard has to reach it.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < 8;
      }}
    >
      <TerminalText parts={parts} />
    </pre>
  );
}
