import type { TerminalPart } from '../../model/text/terminal';
import classes from './TerminalText.module.css';

/** Text with the colours of a terminal. */
export function TerminalText({ parts }: { parts: readonly TerminalPart[] }) {
  return parts.map(({ text, colour, ...look }, i) => (
    // Parts have no id, and their order never changes.
    // oxlint-disable-next-line react/no-array-index-key
    <span
      key={i}
      className={classes.part}
      data-colour={colour}
      data-look={Object.keys(look).join(' ') || undefined}
    >
      {text}
    </span>
  ));
}
