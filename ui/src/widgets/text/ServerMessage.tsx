import { Clamped } from './Clamped';
import classes from './ServerMessage.module.css';

/** What a server says with a request for input. However long it is, what belongs to the answer stays in view. */
export function ServerMessage({ text }: { text: string }) {
  return (
    // Scrolled by keys too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={classes.message} role="group" aria-label="Message" tabIndex={0}>
      <Clamped text={text === '' ? 'No message.' : text} label="Message" height={120} />
    </div>
  );
}
