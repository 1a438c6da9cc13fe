import type {
  ContentItem,
  ResultView,
  TextBody,
  ToolResultView,
  ViolationItem,
} from '../../../contract/generated';
import { ContentView } from '../../../content/ContentView';
import { StructuredResult } from '../../../content/StructuredResult';
import { CodeView } from '../../../widgets/code/CodeView';
import { Violations } from '../../../widgets/status/Violations';
import { Banner } from './Banner';
import classes from './result.module.css';

interface ResultContentProps {
  view: ResultView;
  /** The result as received, shown for kinds without a view of their own. */
  raw: TextBody;
  /** What the request is about; saved files are named after it. */
  name: string;
}

/** The content of a result by its kind: tool, resource, prompt, any other. */
export function ResultContent({ view, raw, name }: ResultContentProps) {
  switch (view.type) {
    case 'tool':
      return <ToolResult view={view.tool} name={name} />;
    case 'resource':
      return <Blocks items={view.contents} violations={view.violations} name={name} />;
    case 'prompt':
      return (
        <Blocks
          items={view.messages.map(({ content }) => content)}
          headings={view.messages.map(({ role }) => (role === '' ? 'no role' : role))}
          note={view.description}
          violations={view.violations}
          name={name}
        />
      );
    case 'any':
      return <CodeView body={raw} form="pretty" height="fill" label="Result" />;
  }
}

function ToolResult({ view, name }: { view: ToolResultView; name: string }) {
  const { isError, content, structured, structuredMissing, violations } = view;
  const hasStructured = structured !== null || structuredMissing;
  return (
    <Blocks items={content} violations={violations} name={name} hasMore={isError || hasStructured}>
      {isError && (
        <Banner tone="warn" title="The tool reports an error (isError)">
          The tool ran and reported a failure.
        </Banner>
      )}
      {hasStructured && <StructuredResult view={structured} missing={structuredMissing} />}
    </Blocks>
  );
}

interface BlocksProps {
  items: ContentItem[];
  /** Shown above each item. */
  headings?: string[];
  note?: string | null;
  violations: ViolationItem[];
  name: string;
  /** `children` has content as well. */
  hasMore?: boolean;
  children?: React.ReactNode;
}

/** Content blocks below each other. A single block fills the pane. */
function Blocks({ items, headings, note = null, violations, name, hasMore = false, children }: BlocksProps) {
  const isAlone =
    items.length === 1 && headings === undefined && violations.length === 0 && note === null && !hasMore;
  return (
    <div className={isAlone ? classes.alone : classes.blocks}>
      {note !== null && <p className={classes.note}>{note}</p>}
      {violations.length > 0 && (
        <div className={classes.violations}>
          <Violations items={violations} label="Problems in the result" />
        </div>
      )}
      {children}
      {items.map((item, index) => (
        // Content blocks have no identity other than their position.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className={isAlone ? classes.alone : undefined}>
          {headings !== undefined && <h3 className={classes.heading}>{headings[index]}</h3>}
          <ContentView item={item} index={index} count={items.length} name={name} fill={isAlone} />
        </div>
      ))}
      {items.length === 0 && !hasMore && <p className={classes.note}>The result has no content.</p>}
    </div>
  );
}
