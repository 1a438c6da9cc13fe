import { useLayoutEffect, useRef } from 'react';
import { plainText } from '../../model/text/terminal';
import classes from './FileWatch.module.css';

/** What a build printed. Follows its end, unless one has scrolled away from there. */
export function BuildOutput({ text }: { text: string }) {
  const place = useRef<HTMLPreElement>(null);
  const follows = useRef(true);
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
      {plainText(text)}
    </pre>
  );
}
