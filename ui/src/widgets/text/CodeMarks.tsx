import { Fragment } from 'react';

/** More marks than our texts have: a name of a server's may be full of them. */
const MOST = 20;

/** A text of the engine in which what is between two backticks is drawn as code, without them. */
export function CodeMarks({ text }: { text: string }) {
  const parts = text.split('`', MOST + 2);
  const isPaired = parts.length % 2 === 1 && parts.length <= MOST + 1;
  // Within an element, so that hidden characters in it are marked.
  if (!isPaired) return <>{text}</>;
  return parts.map((part, at) => {
    const isCode = at % 2 === 1 && part !== '';
    // The parts have no identity but their place.
    // oxlint-disable-next-line react/no-array-index-key
    return <Fragment key={at}>{isCode ? <code className="pb-mono">{part}</code> : part}</Fragment>;
  });
}
