import { useState } from 'react';
import { formatCount } from '../../model/text/format';
import { CodeText } from '../code/CodeView';
import { LinkButton } from '../links/LinkButton';
import { MAX_DRAWN } from './drawn';

/** How much of a text is shown at first, in characters. */
const AT_FIRST = 1_500;

interface ClampedProps {
  text: string;
  label: string;
  /** The height of a text that is too long to be drawn whole, in px. */
  height?: number;
}

/** A text of a server among other things: its beginning, and all of it on request. */
export function Clamped({ text, label, height = 240 }: ClampedProps) {
  const [isOpen, setIsOpen] = useState(false);
  // In an element, so that it is drawn as every text is (drawn.ts).
  if (text.length <= AT_FIRST) return <span>{text}</span>;
  if (isOpen && text.length > MAX_DRAWN)
    return <CodeText text={text} language="plain" label={label} height={height} numbered={false} />;
  return (
    <>
      <span>{isOpen ? text : `${text.slice(0, AT_FIRST)}… `}</span>
      {!isOpen && (
        <LinkButton onClick={() => setIsOpen(true)}>
          {`Show all ${formatCount(text.length, 'character')}`}
        </LinkButton>
      )}
    </>
  );
}
