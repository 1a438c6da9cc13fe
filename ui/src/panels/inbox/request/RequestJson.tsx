import { useMemo, useState } from 'react';
import { indentJson } from '../../../model/text/json';
import { CodeText } from '../../../widgets/code/CodeView';
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
  const text = useMemo(() => indentJson(paramsJson), [paramsJson]);
  return (
    <div className={classes.moreBody}>
      <CodeText text={text} language="json" height="fill" label="Request" />
    </div>
  );
}
