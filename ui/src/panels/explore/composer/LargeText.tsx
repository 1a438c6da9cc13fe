import { Button } from '@mantine/core';
import { formatSize } from '../../../model/text/format';
import { CodeText } from '../../../widgets/code/CodeView';
import classes from './composer.module.css';

/** How much of a text is shown, in characters. */
const SHOWN = 4_000;

interface LargeTextProps {
  text: string;
  label: string;
  onEdit: () => void;
}

/** A text that would make an editor slow: its beginning and its size. It is sent whole. */
export function LargeText({ text, label, onEdit }: LargeTextProps) {
  return (
    <>
      <div className={classes.note}>
        <span>{`${formatSize(text.length)} of text. Only the beginning is shown; all of it is sent.`}</span>
        <Button variant="default" size="compact-xs" onClick={onEdit}>
          Edit anyway
        </Button>
      </div>
      <div className={classes.text}>
        <CodeText text={text.slice(0, SHOWN)} language="json" height="fill" label={label} />
      </div>
    </>
  );
}
