import { Button } from '@mantine/core';
import { aidOf } from '../../model/form/fields/aid';
import { formatCount, shortened } from '../../model/text/format';
import type { BodyProps } from '../formContext';
import { cleared } from './cleared';
import { useFile } from './useFile';
import classes from '../form.module.css';

/** A longer text is not put into a text field, which would freeze the window. */
export const MAX_TEXT = 20_000;

const SHOWN = 200;

/** A text that is too long to be edited in the form: its beginning and its length. */
export function LongText(props: BodyProps & { text: string }) {
  const { id, label, text, onValue, field } = props;
  const isFile = ['base64', 'dataUrl'].includes(aidOf(field.keywords) ?? '');
  const { choose, problem } = useFile(field.keywords, onValue);
  return (
    <div className={classes.longText} id={id} role="group" aria-label={label}>
      <code data-value>{shortened(text, SHOWN)}</code>
      <span className={classes.title}>{formatCount(text.length, 'character')}. Edit it as JSON.</span>
      <Button variant="default" size="compact-xs" onClick={() => onValue(cleared(props))}>
        Clear
      </Button>
      {isFile && (
        <Button variant="default" size="compact-xs" onClick={choose}>
          Choose another file…
        </Button>
      )}
      {problem !== null && <span className={classes.error}>{problem}</span>}
    </div>
  );
}
