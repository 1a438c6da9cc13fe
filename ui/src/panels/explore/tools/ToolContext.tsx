import { useMemo, useState } from 'react';
import type { ToolGetResponse, ToolItem } from '../../../contract/generated';
import { iconsOf } from '../../../model/lists/icons';
import { IndentedJson } from '../../../widgets/code/IndentedJson';
import { CodeText } from '../../../widgets/code/CodeView';
import { Failed, Waiting } from '../../../widgets/status/Waiting';
import { Markdown } from '../../../widgets/markdown/Markdown';
import { RecordLink } from '../../../widgets/links/RecordLink';
import { Segments } from '../../../widgets/controls/Segments';
import { Violations } from '../../../widgets/status/Violations';
import type { Loaded } from '../../../widgets/code/useBodyText';
import { Icons } from '../info/Icons';
import { ToolBadges } from './badges';
import classes from './tools.module.css';

type Part = 'about' | 'input' | 'output' | 'raw';

const EMPTY: Record<'input' | 'output', string> = {
  input: 'The input schema is missing or is not an object.',
  output: 'No output schema. Structured results are not checked.',
};

/** The definition of the tool, next to the form. */
export function ToolContext({ item, detail }: { item: ToolItem; detail: Loaded<ToolGetResponse> }) {
  const [part, setPart] = useState<Part>('about');
  return (
    <section className={classes.context} aria-label="Definition">
      <div className={classes.bar}>
        <Segments
          label="Part of the definition"
          wide
          value={part}
          onChange={(value) => setPart(value)}
          segments={[
            { value: 'about', label: 'About' },
            { value: 'input', label: 'Input' },
            { value: 'output', label: 'Output' },
            { value: 'raw', label: 'Raw' },
          ]}
        />
      </div>
      <div className={classes.contextBody}>
        {detail.state === 'loading' && <Waiting text="Loading definition…" />}
        {detail.state === 'failed' && <Failed error={detail.error} />}
        {detail.state === 'ready' &&
          (part === 'about' ? (
            <About item={item} detail={detail.value} />
          ) : (
            <Schema part={part} detail={detail.value} />
          ))}
      </div>
    </section>
  );
}

function About({ item, detail }: { item: ToolItem; detail: ToolGetResponse }) {
  const violations = detail.tool.violations;
  const icons = useMemo(() => iconsOf(detail.definitionJson), [detail.definitionJson]);
  return (
    <div className={classes.about}>
      {item.title !== null && <h2 className={classes.aboutTitle}>{item.title}</h2>}
      {item.name.length > 40 && <p className={`${classes.aboutName} pb-mono pb-selectable`}>{item.name}</p>}
      <ToolBadges item={item} />
      {detail.description === null ? (
        <p className="pb-dim">No description.</p>
      ) : (
        <Markdown text={detail.description} />
      )}
      {violations.length > 0 && (
        <>
          <h3 className={classes.heading}>Problems</h3>
          <Violations items={violations} label="Problems in the definition" />
        </>
      )}
      {icons.length > 0 && (
        <>
          <h3 className={classes.heading}>Icons</h3>
          <Icons icons={icons} />
        </>
      )}
      {detail.seq !== null && <RecordLink seq={detail.seq} label="Show in Traffic" />}
    </div>
  );
}

function Schema({ part, detail }: { part: 'input' | 'output' | 'raw'; detail: ToolGetResponse }) {
  const { definitionJson, inputSchemaJson, outputSchemaJson } = detail;
  const json = { input: inputSchemaJson, output: outputSchemaJson, raw: definitionJson }[part];
  if (json === null) return <p className={classes.note}>{part === 'raw' ? '' : EMPTY[part]}</p>;
  const label = { input: 'Input schema', output: 'Output schema', raw: 'Definition as received' }[part];
  return part === 'raw' ? (
    <CodeText text={json} language="json" height="fill" label={label} />
  ) : (
    <IndentedJson text={json} height="fill" label={label} />
  );
}
