import { useState } from 'react';
import { IndentedJson } from '../../../widgets/code/IndentedJson';
import classes from '../InputDialog.module.css';

/** The params of a request as JSON, on demand. */
export function RequestJson({ paramsJson }: { paramsJson: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={classes.more} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Request as JSON</summary>
      {isOpen && <Whole paramsJson={paramsJson} />}
    </details>
  );
}

function Whole({ paramsJson }: { paramsJson: string }) {
  return (
    <div className={classes.moreBody}>
      <IndentedJson text={paramsJson} height="fill" label="Request" />
    </div>
  );
}
