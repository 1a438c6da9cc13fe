import { IconAlertCircle, IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import type { SchemaCheck, StructuredView } from '../contract/generated';
import { formatCount } from '../model/text/format';
import { useState } from 'react';
import { CodeView } from '../widgets/code/CodeView';
import { LinkButton } from '../widgets/links/LinkButton';
import classes from './content.module.css';

/** `structuredContent`, and whether it matches the tool's output schema. */
export function StructuredResult({ view, missing }: { view: StructuredView | null; missing: boolean }) {
  const [revealed, setRevealed] = useState<{ pointer: string } | null>(null);
  const problems = view?.check?.type === 'invalid' ? view.check.problems : undefined;
  return (
    <section className={classes.block} aria-label="Structured content">
      <div className={classes.blockHead}>
        <span className={classes.blockKind}>structuredContent</span>
        {view !== null && <CheckWords check={view.check} />}
      </div>
      {missing && (
        <p className={classes.checkLine} data-tone="error">
          <IconAlertCircle size={14} aria-hidden />
          Missing: a tool with an output schema must return structuredContent.
        </p>
      )}
      {problems !== undefined && (
        <ul className={classes.problems} aria-label="Mismatches with the output schema">
          {problems.map(({ pointer, message, schemaPointer }) => (
            <li key={`${pointer} ${schemaPointer} ${message}`} data-tip={`Schema: ${schemaPointer}`}>
              <LinkButton onClick={() => setRevealed({ pointer })}>
                <code>{pointer === '' ? '(root)' : pointer}</code>
              </LinkButton>{' '}
              {message}
            </li>
          ))}
        </ul>
      )}
      {view !== null && (
        <CodeView
          body={view.json}
          form="pretty"
          label="Structured content"
          marks={problems}
          revealed={revealed}
        />
      )}
    </section>
  );
}

function CheckWords({ check }: { check: SchemaCheck | null }) {
  if (check === null) return <span className={classes.dim}>No output schema</span>;
  switch (check.type) {
    case 'valid':
      return (
        <span className={classes.check} data-tone="ok">
          <IconCircleCheck size={14} aria-hidden />
          Matches the output schema
        </span>
      );
    case 'invalid':
      return (
        <span className={classes.check} data-tone="error">
          <IconAlertCircle size={14} aria-hidden />
          {formatCount(check.problems.length, 'mismatch', 'mismatches')} with the output schema
        </span>
      );
    case 'notChecked':
      return (
        <span className={classes.check} data-tone="warn">
          <IconAlertTriangle size={14} aria-hidden />
          Not checked: {check.reason}
        </span>
      );
  }
}
